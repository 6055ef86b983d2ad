"""Right: torch.multinomial without replacement."""


def bigbird_mask(n, window, num_global, num_random, generator=None):
    mask = course.longformer_mask(n, window, list(range(min(num_global, n))))
    for row in range(min(num_global, n), n):
        hidden = (~mask[row]).double()
        count = min(num_random, int(hidden.sum()))
        if count > 0:
            mask[row, torch.multinomial(hidden, count, replacement=False, generator=generator)] = True
    return mask
