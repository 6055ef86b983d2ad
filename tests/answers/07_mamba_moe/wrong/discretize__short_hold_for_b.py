"""Takes the short form of Mamba's code for b.

mistake: short_hold_for_b
fails: one step size per position
"""


def discretize(a, b, delta):
    z = delta * a
    zero = z == 0
    safe = torch.where(zero, torch.ones_like(z), z)
    phi = torch.where(zero, torch.ones_like(z), torch.expm1(safe) / safe)
    return torch.exp(z), delta * b + 0 * z
