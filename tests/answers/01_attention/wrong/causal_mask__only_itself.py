"""An identity matrix: nobody sees the past.

mistake: unnamed
fails: four positions
"""


def causal_mask(n):
    return torch.eye(n, dtype=torch.bool)
