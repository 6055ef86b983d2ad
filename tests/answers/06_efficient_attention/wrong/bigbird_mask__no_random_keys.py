"""The random part was forgotten.

mistake: no_random_keys
fails: exactly num_random new keys
"""


def bigbird_mask(n, window, num_global, num_random, generator=None):
    i = torch.arange(n)
    mask = (i[:, None] - i[None, :]).abs() <= window // 2
    mask[:num_global] = True
    mask[:, :num_global] = True
    base = mask.clone()
    return mask
