"""Half done: the odd columns are still 0.

mistake: cosines_missing
fails: one position
"""

def sinusoidal_encoding(n, d, base=10000.0):
    pairs = torch.arange(0, d, 2)
    angles = torch.arange(n)[:, None] / base ** (pairs / d)
    encoding = torch.zeros(n, d)
    encoding[:, 0::2] = angles.sin()
    return encoding
