"""A causal window.

mistake: causal_window
fails: without random keys
"""


def bigbird_mask(n, window, num_global, num_random, generator=None):
    i = torch.arange(n)
    back = i[:, None] - i[None, :]
    mask = (back >= 0) & (back < window)
    mask[:num_global] = True
    mask[:, :num_global] = True
    base = mask.clone()
    for row in range(num_global, n):
        free = torch.nonzero(~base[row]).flatten()
        order = torch.randperm(len(free), generator=generator)
        mask[row, free[order[:num_random]]] = True
    return mask
