"""Thinks that a position may not see itself; then the first sees nothing at all.

mistake: diagonal_excluded
fails: four positions
"""


def causal_mask(n):
    return torch.ones(n, n, dtype=torch.bool).tril(diagonal=-1)
