"""Right: zeros of z are filled with 1 before the division and the quotient with 1 afterwards."""


def discretize(a, b, delta):
    z = delta * a
    zero = z == 0
    phi = torch.expm1(z.masked_fill(zero, 1.0)) / z.masked_fill(zero, 1.0)
    phi = phi.masked_fill(zero, 1.0)
    return z.exp(), phi * (delta * b)
