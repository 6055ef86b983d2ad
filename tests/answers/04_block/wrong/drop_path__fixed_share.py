"""The same number of samples is dropped in each call.

mistake: fixed_share
fails: left to chance
"""


def drop_path(x, p, training, generator=None):
    if not training or p == 0:
        return x
    if p == 1:
        return torch.zeros_like(x)
    keep = (torch.randperm(len(x), generator=generator) >= round(p * len(x))).view(-1, *[1] * (x.ndim - 1))
    return x * keep / (1 - p)
