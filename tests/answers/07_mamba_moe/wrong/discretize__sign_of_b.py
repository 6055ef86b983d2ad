"""1 − exp(z) in place of exp(z) − 1.

mistake: sign_of_b
fails: one step size per position
"""


def discretize(a, b, delta):
    z = delta * a
    zero = z == 0
    safe = torch.where(zero, torch.ones_like(z), z)
    phi = torch.where(zero, -torch.ones_like(z), -torch.expm1(safe) / safe)
    return torch.exp(z), delta * b * phi
