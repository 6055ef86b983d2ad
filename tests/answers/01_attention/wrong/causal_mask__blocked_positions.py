"""True where attending is forbidden, as nn.MultiheadAttention and nn.Transformer want it.

mistake: blocked_positions
fails: four positions
"""


def causal_mask(n):
    return torch.ones(n, n, dtype=torch.bool).triu(diagonal=1)
