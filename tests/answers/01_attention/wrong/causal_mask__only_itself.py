"""An identity matrix: nobody sees the past.

mistake: unnamed
fails: TODO
"""


def causal_mask(n):
    return torch.eye(n, dtype=torch.bool)
