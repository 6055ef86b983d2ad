"""The flag is not looked at.

mistake: always_causal
fails: a two-sided window
"""


def sliding_window_mask(n, window, causal=True):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    if causal:
        return (i - j >= 0) & (i - j < window)
    return (i - j >= 0) & (i - j < window)
