"""One draw for all rows.

mistake: same_for_every_row
fails: exactly num_random new keys
"""


def bigbird_mask(n, window, num_global, num_random, generator=None):
    i = torch.arange(n)
    mask = (i[:, None] - i[None, :]).abs() <= window // 2
    mask[:num_global] = True
    mask[:, :num_global] = True
    base = mask.clone()
    order = torch.randperm(n, generator=generator)
    for row in range(num_global, n):
        free = order[~base[row][order]]
        mask[row, free[:num_random]] = True
    return mask
