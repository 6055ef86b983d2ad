"""NaN is replaced after the division: the value at a = 0 is right, the gradient is still NaN.

mistake: nan_in_the_gradient
fails: a = 0 in places
"""


def discretize(a, b, delta):
    z = delta * a
    phi = torch.nan_to_num(torch.expm1(z) / z, nan=1.0)
    return torch.exp(z), delta * b * phi
