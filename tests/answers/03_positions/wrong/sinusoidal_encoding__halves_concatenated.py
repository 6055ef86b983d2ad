"""Sines in the first half, cosines in the second.

mistake: halves_concatenated
fails: four positions of width 6
"""

def sinusoidal_encoding(n, d, base=10000.0):
    pairs = torch.arange(0, d, 2)
    angles = torch.arange(n)[:, None] / base ** (pairs / d)
    encoding = torch.empty(n, d)
    encoding[:, : d // 2] = angles.sin()
    encoding[:, d // 2 :] = angles.cos()
    return encoding
