"""One draw of distances, shifted from row to row.

mistake: same_distances
fails: drawn by itself
"""


def bigbird_mask(n, window, num_global, num_random, generator=None):
    mask = course.longformer_mask(n, window, range(min(num_global, n)))
    order = torch.rand(n, generator=generator)  # one number per distance
    for i in range(num_global, n):
        hidden = (~mask[i]).nonzero().squeeze(1)
        mask[i, hidden[order[(hidden - i) % n].argsort()[:num_random]]] = True
    return mask
