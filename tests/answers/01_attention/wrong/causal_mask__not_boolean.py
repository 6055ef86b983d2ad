"""Right pattern, but of floats: `~mask` and `masked_fill` stop on it.

mistake: not_boolean
fails: four positions
"""


def causal_mask(n):
    return torch.tril(torch.ones(n, n))
