"""Adds a small number to the divisor.

mistake: unnamed
fails: one step size per position
"""


def discretize(a, b, delta):
    z = delta * a
    zero = z == 0
    safe = torch.where(zero, torch.ones_like(z), z)
    phi = torch.expm1(z) / (z + 1e-8)
    return torch.exp(z), delta * b * phi
