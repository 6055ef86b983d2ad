"""A generator of its own, with a fixed seed.

mistake: own_seed
fails: others give others
"""


def drop_path(x, p, training, generator=None):
    if not training or p == 0:
        return x
    if p == 1:
        return torch.zeros_like(x)
    keep = torch.rand(len(x), *[1] * (x.ndim - 1), generator=torch.Generator().manual_seed(0)) >= p
    return x * keep / (1 - p)
