"""(B, 1, n) fits weights without heads only.

mistake: three_axes
fails: TODO
"""


def padding_mask(lengths, n):
    return (torch.arange(n) < lengths[:, None])[:, None, :]
