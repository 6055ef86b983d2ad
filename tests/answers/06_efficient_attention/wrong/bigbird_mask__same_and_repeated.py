"""One draw for all rows, visible keys included.

mistake: same_and_repeated
fails: exactly num_random new keys
"""


def bigbird_mask(n, window, num_global, num_random, generator=None):
    i = torch.arange(n)
    mask = (i[:, None] - i[None, :]).abs() <= window // 2
    mask[:num_global] = True
    mask[:, :num_global] = True
    base = mask.clone()
    mask[num_global:, torch.randperm(n, generator=generator)[:num_random]] = True
    return mask
