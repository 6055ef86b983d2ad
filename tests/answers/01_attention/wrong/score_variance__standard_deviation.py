"""The standard deviation: √d_k and not d_k.

mistake: standard_deviation
fails: d_k = 16
"""


def score_variance(d_k, num_samples, generator=None):
    q = torch.randn(num_samples, d_k, generator=generator)
    k = torch.randn(num_samples, d_k, generator=generator)
    return float((q * k).sum(-1).std())
