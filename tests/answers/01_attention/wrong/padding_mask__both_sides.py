"""Hides padded queries as well: (B, 1, n, n).

mistake: both_sides
fails: TODO
"""


def padding_mask(lengths, n):
    real = torch.arange(n) < lengths[:, None]
    return (real[:, :, None] & real[:, None, :])[:, None]
