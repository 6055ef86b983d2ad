"""The generator is not handed on.

mistake: generator_ignored
fails: the generator decides
"""


def bigbird_mask(n, window, num_global, num_random, generator=None):
    i = torch.arange(n)
    mask = (i[:, None] - i[None, :]).abs() <= window // 2
    mask[:num_global] = True
    mask[:, :num_global] = True
    base = mask.clone()
    for row in range(num_global, n):
        free = torch.nonzero(~base[row]).flatten()
        order = torch.randperm(len(free))
        mask[row, free[order[:num_random]]] = True
    return mask
