"""The mean of the squares, right only because the true mean is 0.

mistake: mean_not_subtracted
fails: two samples
"""


def score_variance(d_k, num_samples, generator=None):
    q = torch.randn(num_samples, d_k, generator=generator)
    k = torch.randn(num_samples, d_k, generator=generator)
    return (q * k).sum(-1).square().mean().item()
