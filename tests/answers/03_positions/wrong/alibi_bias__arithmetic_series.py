"""Evenly spaced slopes.

mistake: arithmetic_series
fails: four heads
"""

def alibi_bias(num_heads, n):
    slopes = torch.linspace(2.0 ** (-8 / num_heads), 2.0**-8, num_heads)
    p = torch.arange(n)
    distance = p[:, None] - p[None, :]
    bias = -slopes[:, None, None] * distance
    return bias.masked_fill(distance < 0, float("-inf"))
