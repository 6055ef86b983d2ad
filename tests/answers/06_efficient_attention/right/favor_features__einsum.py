"""Right: einsum, two exponentials."""


def favor_features(x, projection):
    dots = torch.einsum("...d,md->...m", x, projection)
    damp = torch.exp(-0.5 * x.norm(dim=-1, keepdim=True) ** 2)
    return dots.exp() * damp * projection.shape[0] ** -0.5
