"""triu of ones with a diagonal far away, turned over: hides nothing.

mistake: everything
fails: four positions
"""


def causal_mask(n):
    return ~torch.ones(n, n, dtype=torch.bool).triu(diagonal=n)
