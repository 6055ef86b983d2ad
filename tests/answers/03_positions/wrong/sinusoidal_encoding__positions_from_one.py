"""Positions start at 1.

mistake: positions_from_one
fails: one position
"""

def sinusoidal_encoding(n, d, base=10000.0):
    pairs = torch.arange(0, d, 2)
    angles = torch.arange(1, n + 1)[:, None] / base ** (pairs / d)
    encoding = torch.empty(n, d)
    encoding[:, 0::2] = angles.sin()
    encoding[:, 1::2] = angles.cos()
    return encoding
