"""Passes the generator on to the queries and forgets it for the keys.

mistake: generator_not_used
fails: equal generators give equal numbers, other seeds others
"""


def score_variance(d_k, num_samples, generator=None):
    q = torch.randn(num_samples, d_k, generator=generator)
    k = torch.randn(num_samples, d_k)
    return float((q * k).sum(-1).var())
