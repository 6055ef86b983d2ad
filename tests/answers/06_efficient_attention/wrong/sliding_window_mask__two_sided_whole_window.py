"""The whole window to each side, and one more.

mistake: two_sided_whole_window
fails: a two-sided window
"""


def sliding_window_mask(n, window, causal=True):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    if causal:
        return (i - j >= 0) & (i - j < window)
    return (i - j).abs() <= window
