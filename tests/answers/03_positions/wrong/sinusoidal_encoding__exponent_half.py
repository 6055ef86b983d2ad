"""The exponent is i/d instead of 2i/d.

mistake: exponent_half
fails: fresh sizes
"""

def sinusoidal_encoding(n, d, base=10000.0):
    pairs = torch.arange(d // 2)
    angles = torch.arange(n)[:, None] / base ** (pairs / d)
    encoding = torch.empty(n, d)
    encoding[:, 0::2] = angles.sin()
    encoding[:, 1::2] = angles.cos()
    return encoding
