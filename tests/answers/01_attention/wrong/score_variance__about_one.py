"""The variance of single products q_i k_i, which is 1 for every d_k.

mistake: about_one
fails: d_k = 16
"""


def score_variance(d_k, num_samples, generator=None):
    q = torch.randn(num_samples, d_k, generator=generator)
    k = torch.randn(num_samples, d_k, generator=generator)
    return float((q * k).var())
