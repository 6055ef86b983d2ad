"""Takes a for the size of the decay rate.

mistake: signs_of_a_in_both
fails: one step size per position
"""


def discretize(a, b, delta):
    z = -delta * a
    zero = z == 0
    safe = torch.where(zero, torch.ones_like(z), z)
    phi = torch.where(zero, torch.ones_like(z), torch.expm1(safe) / safe)
    return torch.exp(z), delta * b * phi
