"""One draw per row: the keys lie side by side.

mistake: in_runs
fails: drawn by itself
"""


def bigbird_mask(n, window, num_global, num_random, generator=None):
    mask = course.longformer_mask(n, window, range(min(num_global, n)))
    for i in range(num_global, n):
        hidden = (~mask[i]).nonzero().squeeze(1)
        if len(hidden) == 0:
            continue
        start = int(torch.randint(0, len(hidden), (1,), generator=generator))
        chosen = (start + torch.arange(min(num_random, len(hidden)))) % len(hidden)
        mask[i, hidden[chosen]] = True
    return mask
