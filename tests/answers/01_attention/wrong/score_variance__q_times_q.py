"""Forgets to draw keys: the dot product of a vector with itself has variance 2·d_k.

mistake: q_times_q
fails: d_k = 16
"""


def score_variance(d_k, num_samples, generator=None):
    q = torch.randn(num_samples, d_k, generator=generator)
    return float((q * q).sum(-1).var())
