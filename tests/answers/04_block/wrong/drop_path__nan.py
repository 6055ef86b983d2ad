"""NaN at p = 1.

mistake: nan_at_one
fails: zeros at p = 1
"""


def drop_path(x, p, training, generator=None):
    if not training or p == 0:
        return x
    shape = (x.shape[0],) + (1,) * (x.ndim - 1)
    kept = (torch.rand(shape, generator=generator) >= p).to(x.dtype)
    return x * kept / (1 - p)
