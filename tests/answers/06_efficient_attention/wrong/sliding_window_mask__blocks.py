"""Fixed blocks in place of a sliding window.

mistake: blocks
fails: a causal window of three
"""


def sliding_window_mask(n, window, causal=True):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    if causal:
        return (i // window == j // window) & (j <= i)
    return i // window == j // window
