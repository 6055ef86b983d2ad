"""Divides by the number of samples, which shows where they are few.

mistake: biased
fails: unbiased for two samples
"""


def score_variance(d_k, num_samples, generator=None):
    q = torch.randn(num_samples, d_k, generator=generator)
    k = torch.randn(num_samples, d_k, generator=generator)
    return float((q * k).sum(-1).var(correction=0))
