"""Right: all weights drawn before the inputs; columns are samples."""


def forward_variances(depth, width, std, activation, generator=None):
    weights = [torch.randn(width, width, generator=generator) for _ in range(depth)]
    h = torch.randn(width, 1024, generator=generator)
    found = []
    for w in weights:
        h = activation(std * (w @ h))
        found.append(float(((h - h.mean()) ** 2).mean()))
    return found
