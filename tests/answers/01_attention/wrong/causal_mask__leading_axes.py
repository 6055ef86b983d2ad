"""Adds axes for batch and heads, which broadcasting would do by itself.

mistake: leading_axes
fails: four positions
"""


def causal_mask(n):
    return torch.ones(n, n, dtype=torch.bool).tril()[None, None]
