"""Right: two exponentials, multiplied."""


def favor_features(x, projection):
    m = projection.shape[0]
    return m ** -0.5 * torch.exp(F.linear(x, projection)) * torch.exp(-0.5 * torch.linalg.vector_norm(x, dim=-1, keepdim=True) ** 2)
