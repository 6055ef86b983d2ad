"""Right: a random number per pair; the largest hidden ones of each row are opened."""


def bigbird_mask(n, window, num_global, num_random, generator=None):
    i = torch.arange(n)
    near = (i[:, None] - i[None, :]).abs() <= window // 2
    first = i < num_global
    seen = near | first[:, None] | first[None, :]
    draws = torch.rand(n, n, generator=generator, dtype=torch.float64).masked_fill(seen, -1.0)
    count = min(num_random, n)
    if count:
        best = draws.topk(count, dim=1)
        seen = seen.scatter(1, best.indices, (best.values >= 0) | seen.gather(1, best.indices))
    return seen
