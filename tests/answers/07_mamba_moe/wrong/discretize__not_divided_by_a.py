"""Forgets that the integral divides by a.

mistake: not_divided_by_a
fails: one step size per position
"""


def discretize(a, b, delta):
    z = delta * a
    zero = z == 0
    safe = torch.where(zero, torch.ones_like(z), z)
    phi = torch.where(zero, torch.ones_like(z), torch.expm1(safe) / safe)
    return torch.exp(z), (torch.exp(z) - 1) * b
