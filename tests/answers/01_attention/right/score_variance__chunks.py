"""Right: in chunks, one coordinate pair per column, Python's statistics in the end."""

import statistics


def score_variance(d_k, num_samples, generator=None):
    scores = []
    while len(scores) < num_samples:
        size = min(1000, num_samples - len(scores))
        draws = torch.empty(d_k, 2, size, dtype=torch.float64).normal_(0, 1, generator=generator)
        scores += draws.prod(dim=1).sum(dim=0).tolist()
    return statistics.variance(scores)
