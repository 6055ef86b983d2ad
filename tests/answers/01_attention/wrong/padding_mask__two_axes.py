"""(B, n): against (B, H, T, S) it broadcasts over the wrong axes, or not at all.

mistake: two_axes
fails: TODO
"""


def padding_mask(lengths, n):
    return torch.arange(n) < lengths[:, None]
