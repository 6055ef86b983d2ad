"""Right: a Taylor series where δa is small."""


def discretize(a, b, delta):
    z = delta * a
    small = z.abs() < 1e-3
    divisor = z.masked_fill(small, 1.0)
    series = 1 + z / 2 + z**2 / 6 + z**3 / 24 + z**4 / 120
    phi = torch.where(small, series, (divisor.exp() - 1) / divisor)
    return z.exp(), b * phi * delta
