"""Right: the difference of two triangles."""


def sliding_window_mask(n, window, causal=True):
    everything = torch.ones(n, n, dtype=torch.bool)
    if causal:
        return everything.tril() & everything.triu(-(window - 1))
    return everything.tril(window // 2) & everything.triu(-(window // 2))
