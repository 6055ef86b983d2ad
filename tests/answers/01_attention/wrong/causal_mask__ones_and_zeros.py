"""Right pattern, but of floats: `~mask` and `masked_fill` stop on it.

mistake: ones_and_zeros
fails: TODO
"""


def causal_mask(n):
    return torch.tril(torch.ones(n, n))
