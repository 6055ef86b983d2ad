"""Seeds a new generator inside: every call gives the same number, and q equals k.

mistake: q_times_q
fails: d_k = 16
"""


def score_variance(d_k, num_samples, generator=None):
    seed = generator.initial_seed() if generator is not None else 0
    q = torch.randn(num_samples, d_k, generator=torch.Generator().manual_seed(seed))
    k = torch.randn(num_samples, d_k, generator=torch.Generator().manual_seed(seed))
    return float((q * k).sum(-1).var())
