"""Sums over the samples and not over the coordinates.

mistake: samples_summed
fails: d_k = 16
"""


def score_variance(d_k, num_samples, generator=None):
    q = torch.randn(num_samples, d_k, generator=generator)
    k = torch.randn(num_samples, d_k, generator=generator)
    return float((q * k).sum(0).var())
