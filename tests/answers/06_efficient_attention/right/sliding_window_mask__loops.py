"""Right: pair by pair."""


def sliding_window_mask(n, window, causal=True):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        first = i - window + 1 if causal else i - window // 2
        last = i if causal else i + window // 2
        mask[i, max(first, 0) : min(last, n - 1) + 1] = True
    return mask
