"""The query itself is not counted, so one key too few.

mistake: one_too_few
fails: a causal window of three
"""


def sliding_window_mask(n, window, causal=True):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    if causal:
        return (i - j >= 0) & (i - j < window - 1)
    return (i - j).abs() <= window // 2
