"""Random keys among all keys, visible ones too.

mistake: repeats_visible
fails: exactly num_random new keys
"""


def bigbird_mask(n, window, num_global, num_random, generator=None):
    i = torch.arange(n)
    mask = (i[:, None] - i[None, :]).abs() <= window // 2
    mask[:num_global] = True
    mask[:, :num_global] = True
    base = mask.clone()
    for row in range(num_global, n):
        mask[row, torch.randperm(n, generator=generator)[:num_random]] = True
    return mask
