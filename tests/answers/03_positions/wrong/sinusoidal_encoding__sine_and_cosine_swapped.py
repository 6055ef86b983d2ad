"""Cosines in the even columns.

mistake: sine_and_cosine_swapped
fails: one position
"""

def sinusoidal_encoding(n, d, base=10000.0):
    pairs = torch.arange(0, d, 2)
    angles = torch.arange(n)[:, None] / base ** (pairs / d)
    encoding = torch.empty(n, d)
    encoding[:, 0::2] = angles.cos()
    encoding[:, 1::2] = angles.sin()
    return encoding
