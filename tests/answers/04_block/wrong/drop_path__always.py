"""Drops in evaluation.

mistake: drops_in_evaluation
fails: nothing is dropped in evaluation
"""


def drop_path(x, p, training, generator=None):
    if p == 0:
        return x
    if p == 1:
        return torch.zeros_like(x)
    shape = (x.shape[0],) + (1,) * (x.ndim - 1)
    kept = (torch.rand(shape, generator=generator) >= p).to(x.dtype)
    return x * kept / (1 - p)
