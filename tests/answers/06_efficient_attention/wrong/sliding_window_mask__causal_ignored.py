"""The flag is not looked at.

mistake: causal_ignored
fails: a causal window of three
"""


def sliding_window_mask(n, window, causal=True):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return (i - j).abs() <= window // 2
