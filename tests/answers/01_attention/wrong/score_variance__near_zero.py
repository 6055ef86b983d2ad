"""The mean of the scores, which is 0 for every d_k.

mistake: near_zero
fails: unbiased for two samples
"""


def score_variance(d_k, num_samples, generator=None):
    q = torch.randn(num_samples, d_k, generator=generator)
    k = torch.randn(num_samples, d_k, generator=generator)
    return float((q * k).sum(-1).mean())
