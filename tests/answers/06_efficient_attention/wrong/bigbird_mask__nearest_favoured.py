"""Half of the hidden keys, those with small numbers, are never drawn.

mistake: unnamed
fails: every hidden key is equally likely
"""


def bigbird_mask(n, window, num_global, num_random, generator=None):
    i = torch.arange(n)
    mask = (i[:, None] - i[None, :]).abs() <= window // 2
    mask[:num_global] = True
    mask[:, :num_global] = True
    base = mask.clone()
    for row in range(num_global, n):
        free = torch.nonzero(~base[row]).flatten()
        order = torch.randperm(len(free), generator=generator)
        mask[row, free.flip(0)[order[order < (len(free) + 1) // 2]][:num_random]] = True
    return mask
