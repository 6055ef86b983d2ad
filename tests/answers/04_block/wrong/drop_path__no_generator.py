"""Ignores the generator.

mistake: generator_not_used
fails: equal generators
"""


def drop_path(x, p, training, generator=None):
    if not training or p == 0:
        return x
    if p == 1:
        return torch.zeros_like(x)
    shape = (x.shape[0],) + (1,) * (x.ndim - 1)
    kept = (torch.rand(shape) >= p).to(x.dtype)
    return x * kept / (1 - p)
