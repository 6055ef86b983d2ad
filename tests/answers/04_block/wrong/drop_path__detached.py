"""No gradient flows.

mistake: detached
fails: whole samples
"""


def drop_path(x, p, training, generator=None):
    if not training or p == 0:
        return x
    if p == 1:
        return torch.zeros_like(x)
    keep = torch.rand(len(x), *[1] * (x.ndim - 1), generator=generator) >= p
    return x.detach() * keep / (1 - p)
