"""Divides by δa where a belongs.

mistake: divided_by_delta_a
fails: one step size per position
"""


def discretize(a, b, delta):
    z = delta * a
    zero = z == 0
    safe = torch.where(zero, torch.ones_like(z), z)
    phi = torch.where(zero, torch.ones_like(z), torch.expm1(safe) / safe)
    return torch.exp(z), b * phi
