"""Right: filled row by row."""


def causal_mask(n):
    mask = torch.zeros((n, n), dtype=torch.bool)
    for t in range(n):
        mask[t, : t + 1] = True
    return mask
