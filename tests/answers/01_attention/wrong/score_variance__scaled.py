"""Scales the scores first, and so measures 1.

mistake: about_one
fails: d_k = 16
"""


def score_variance(d_k, num_samples, generator=None):
    q = torch.randn(num_samples, d_k, generator=generator)
    k = torch.randn(num_samples, d_k, generator=generator)
    return float(((q * k).sum(-1) / math.sqrt(d_k)).var())
