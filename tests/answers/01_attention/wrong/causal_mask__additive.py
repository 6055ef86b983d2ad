"""Returns the float mask to be added, of 0 and −inf, as nn.Transformer.generate_square_subsequent_mask does.

mistake: additive
fails: four positions
"""


def causal_mask(n):
    return torch.full((n, n), float("-inf")).triu(diagonal=1)
