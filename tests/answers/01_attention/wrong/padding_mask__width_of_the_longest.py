"""Builds the mask as wide as the longest sample and ignores n.

mistake: width_of_the_longest
fails: fresh lengths
"""


def padding_mask(lengths, n):
    longest = int(lengths.max())
    return (torch.arange(longest) < lengths[:, None])[:, None, None, :]
