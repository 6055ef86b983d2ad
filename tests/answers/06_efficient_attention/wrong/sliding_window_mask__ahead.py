"""Rows and columns swapped: looks ahead.

mistake: ahead
fails: a causal window of three
"""


def sliding_window_mask(n, window, causal=True):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    if causal:
        return (j - i >= 0) & (j - i < window)
    return (i - j).abs() <= window // 2
