"""expm1 keeps the digits, but 0/0 stays.

mistake: division_by_zero
fails: some entries of a are 0
"""


def discretize(a, b, delta):
    return torch.exp(delta * a), torch.expm1(delta * a) / a * b
