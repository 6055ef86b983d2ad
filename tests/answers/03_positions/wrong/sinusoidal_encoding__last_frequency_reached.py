"""Exponents are spread evenly from 0 to 1.

mistake: last_frequency_reached
fails: four positions
"""

def sinusoidal_encoding(n, d, base=10000.0):
    pairs = torch.arange(0, d, 2)
    angles = torch.arange(n)[:, None] / base ** torch.linspace(0, 1, d // 2)
    encoding = torch.empty(n, d)
    encoding[:, 0::2] = angles.sin()
    encoding[:, 1::2] = angles.cos()
    return encoding
