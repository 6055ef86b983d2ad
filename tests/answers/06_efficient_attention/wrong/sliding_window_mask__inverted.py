"""True marks what is hidden, as in nn.MultiheadAttention.

mistake: inverted
fails: a causal window of three
"""


def sliding_window_mask(n, window, causal=True):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    if causal:
        return ~((i - j >= 0) & (i - j < window))
    return (i - j).abs() > window // 2
