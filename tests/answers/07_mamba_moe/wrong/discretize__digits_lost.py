"""exp(z) − 1 by subtraction, with the hole at 0 filled.

mistake: digits_lost
fails: no digits are lost near a = 0
"""


def discretize(a, b, delta):
    z = delta * a
    zero = z == 0
    safe = torch.where(zero, torch.ones_like(z), z)
    phi = torch.where(zero, torch.ones_like(z), (torch.exp(safe) - 1) / safe)
    return torch.exp(z), delta * b * phi
