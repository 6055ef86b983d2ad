"""Hides padded queries as well: (B, 1, n, n).

mistake: queries_and_keys_masked
fails: lengths 3, 0, 4
"""


def padding_mask(lengths, n):
    real = torch.arange(n) < lengths[:, None]
    return (real[:, :, None] & real[:, None, :])[:, None]
