"""Puts the positions on the query axis: padded queries are hidden and padded keys are seen.

mistake: queries_masked
fails: lengths 3, 0, 4
"""


def padding_mask(lengths, n):
    return (torch.arange(n) < lengths[:, None])[:, None, :, None]
