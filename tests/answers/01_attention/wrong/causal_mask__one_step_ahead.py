"""Off by one: each position also sees the next one.

mistake: one_step_ahead
fails: four positions
"""


def causal_mask(n):
    return torch.ones(n, n, dtype=torch.bool).tril(diagonal=1)
