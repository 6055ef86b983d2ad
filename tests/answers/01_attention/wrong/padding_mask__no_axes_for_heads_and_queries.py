"""(B, n): against (B, H, T, S) it broadcasts over the wrong axes, or not at all.

mistake: no_axes_for_heads_and_queries
fails: lengths 3, 0, 4
"""


def padding_mask(lengths, n):
    return torch.arange(n) < lengths[:, None]
