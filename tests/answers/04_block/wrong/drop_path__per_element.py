"""Ordinary dropout.

mistake: per_element
fails: whole samples, p = 0.3
"""


def drop_path(x, p, training, generator=None):
    if not training or p == 0:
        return x
    if p == 1:
        return torch.zeros_like(x)
    shape = x.shape
    kept = (torch.rand(shape, generator=generator) >= p).to(x.dtype)
    return x * kept / (1 - p)
