"""10000 is written into the formula.

mistake: base_ignored
fails: another base
"""

def sinusoidal_encoding(n, d, base=10000.0):
    pairs = torch.arange(0, d, 2)
    angles = torch.arange(n)[:, None] / 10000.0 ** (pairs / d)
    encoding = torch.empty(n, d)
    encoding[:, 0::2] = angles.sin()
    encoding[:, 1::2] = angles.cos()
    return encoding
