"""Angles are taken for degrees.

mistake: unnamed
fails: fresh sizes
"""

def sinusoidal_encoding(n, d, base=10000.0):
    pairs = torch.arange(0, d, 2)
    angles = torch.arange(n)[:, None] / base ** (pairs / d)
    encoding = torch.empty(n, d)
    encoding[:, 0::2] = torch.deg2rad(angles).sin()
    encoding[:, 1::2] = torch.deg2rad(angles).cos()
    return encoding
