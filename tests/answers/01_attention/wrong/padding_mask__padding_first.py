"""Puts the padding in front, as for generation.

mistake: padding_first
fails: TODO
"""


def padding_mask(lengths, n):
    return (torch.arange(n) >= n - lengths[:, None])[:, None, None, :]
