"""Right: draws until the row has enough new keys."""


def bigbird_mask(n, window, num_global, num_random, generator=None):
    mask = course.longformer_mask(n, window, range(min(num_global, n)))
    for row in mask[num_global:]:
        missing = min(num_random, int((~row).sum()))
        while missing > 0:
            j = int(torch.randint(n, (1,), generator=generator))
            missing -= int(not row[j])
            row[j] = True
    return mask
