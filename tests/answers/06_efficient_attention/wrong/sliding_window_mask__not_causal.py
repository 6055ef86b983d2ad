"""The distance in both directions.

mistake: not_causal
fails: a causal window of three
"""


def sliding_window_mask(n, window, causal=True):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    if causal:
        return (i - j).abs() < window
    return (i - j).abs() <= window // 2
