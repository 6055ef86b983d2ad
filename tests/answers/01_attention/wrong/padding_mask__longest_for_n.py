"""Builds the mask as wide as the longest sample and ignores n.

mistake: longest_for_n
fails: TODO
"""


def padding_mask(lengths, n):
    longest = int(lengths.max())
    return (torch.arange(longest) < lengths[:, None])[:, None, None, :]
