"""The two-sided reach is used for the causal window.

mistake: half_window
fails: causal windows of any size
"""


def sliding_window_mask(n, window, causal=True):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    if causal:
        return (i - j >= 0) & (i - j <= window // 2)
    return (i - j).abs() <= window // 2
