"""The cosine uses the exponent of its own column.

mistake: cosine_shifted
fails: four positions of width 6
"""

def sinusoidal_encoding(n, d, base=10000.0):
    pairs = torch.arange(0, d, 2)
    angles = torch.arange(n)[:, None] / base ** (pairs / d)
    encoding = torch.empty(n, d)
    encoding[:, 0::2] = angles.sin()
    encoding[:, 1::2] = (torch.arange(n)[:, None] / base ** ((pairs + 1) / d)).cos()
    return encoding
