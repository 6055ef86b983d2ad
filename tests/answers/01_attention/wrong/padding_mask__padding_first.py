"""Puts the padding in front, as for generation.

mistake: padding_first
fails: lengths 3, 0, 4
"""


def padding_mask(lengths, n):
    return (torch.arange(n) >= n - lengths[:, None])[:, None, None, :]
