"""Euler's step for both.

mistake: euler
fails: one step size per position
"""


def discretize(a, b, delta):
    z = delta * a
    zero = z == 0
    safe = torch.where(zero, torch.ones_like(z), z)
    phi = torch.where(zero, torch.ones_like(z), torch.expm1(safe) / safe)
    return 1 + z, delta * b + 0 * z
