"""Draws from the global generator whatever is given.

mistake: generator_not_used
fails: equal generators give equal numbers, other seeds others
"""


def score_variance(d_k, num_samples, generator=None):
    q = torch.randn(num_samples, d_k)
    k = torch.randn(num_samples, d_k)
    return float((q * k).sum(-1).var())
