"""Right: one draw for both, keys first, in float64; the variance by its definition."""


def score_variance(d_k, num_samples, generator=None):
    k, q = torch.randn(2, num_samples, d_k, generator=generator, dtype=torch.float64)
    scores = (q * k).sum(dim=1)
    off = scores - scores.mean()
    return float((off @ off) / (num_samples - 1))
