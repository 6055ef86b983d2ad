"""The number of the column stands for the number of the pair.

mistake: column_for_pair
fails: four positions of width 6
"""

def sinusoidal_encoding(n, d, base=10000.0):
    pairs = torch.arange(0, d, 2)
    angles = torch.arange(n)[:, None] / base ** (pairs / d)
    encoding = torch.empty(n, d)
    angles = torch.arange(n)[:, None] / base ** (2 * torch.arange(d) / d)
    encoding[:, 0::2] = angles[:, 0::2].sin()
    encoding[:, 1::2] = angles[:, 1::2].cos()
    return encoding
