"""The position is multiplied by base^(2i/d).

mistake: frequencies_inverted
fails: four positions
"""

def sinusoidal_encoding(n, d, base=10000.0):
    pairs = torch.arange(0, d, 2)
    angles = torch.arange(n)[:, None] * base ** (pairs / d)
    encoding = torch.empty(n, d)
    encoding[:, 0::2] = angles.sin()
    encoding[:, 1::2] = angles.cos()
    return encoding
