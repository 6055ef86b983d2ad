"""Draws one key for all queries: then the spread is |k|², whatever that key happens to be.

mistake: one_key_for_all
fails: d_k = 16
"""


def score_variance(d_k, num_samples, generator=None):
    q = torch.randn(num_samples, d_k, generator=generator)
    k = torch.randn(1, d_k, generator=generator)
    return float((q @ k.T).var())
