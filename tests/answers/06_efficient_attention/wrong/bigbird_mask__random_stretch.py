"""One draw per row that never goes past the end: the last keys are seen less often, and all lie side by side.

mistake: in_runs
fails: drawn by itself
"""


def bigbird_mask(n, window, num_global, num_random, generator=None):
    mask = course.longformer_mask(n, window, range(min(num_global, n)))
    for i in range(num_global, n):
        hidden = (~mask[i]).nonzero().squeeze(1)
        start = int(torch.randint(0, max(1, len(hidden) - num_random + 1), (1,), generator=generator))
        mask[i, hidden[start : start + num_random]] = True
    return mask
