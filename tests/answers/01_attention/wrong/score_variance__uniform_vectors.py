"""Draws with rand in place of randn: uniform, and with a mean.

mistake: uniform_vectors
fails: d_k = 16
"""


def score_variance(d_k, num_samples, generator=None):
    q = torch.rand(num_samples, d_k, generator=generator)
    k = torch.rand(num_samples, d_k, generator=generator)
    return float((q * k).sum(-1).var())
