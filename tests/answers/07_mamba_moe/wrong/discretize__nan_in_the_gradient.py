"""One `where` around the quotient: the value is right, the gradient is NaN.

mistake: nan_in_the_gradient
fails: a = 0
"""


def discretize(a, b, delta):
    z = delta * a
    exact = torch.expm1(z) / a * b
    return torch.exp(z), torch.where(z == 0, delta * b, exact)
