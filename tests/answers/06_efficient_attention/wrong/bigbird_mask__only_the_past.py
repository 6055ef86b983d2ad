"""Random keys only among those before the query.

mistake: only_the_past
fails: every hidden key is equally likely
"""


def bigbird_mask(n, window, num_global, num_random, generator=None):
    i = torch.arange(n)
    mask = (i[:, None] - i[None, :]).abs() <= window // 2
    mask[:num_global] = True
    mask[:, :num_global] = True
    base = mask.clone()
    for row in range(num_global, n):
        free = torch.nonzero(~base[row, :row]).flatten()
        order = torch.randperm(len(free), generator=generator)
        mask[row, free[order[:num_random]]] = True
    return mask
