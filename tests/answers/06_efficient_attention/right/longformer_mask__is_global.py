"""Right: a flag per position, joined with "or"."""


def longformer_mask(n, window, global_positions):
    is_global = torch.zeros(n, dtype=torch.bool)
    is_global[[int(g) for g in global_positions]] = True
    near = torch.ones(n, n, dtype=torch.bool).tril(window // 2).triu(-(window // 2))
    return near | is_global[:, None] | is_global[None, :]
