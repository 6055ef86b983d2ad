"""The penalty grows with the square.

mistake: squared
fails: four heads
"""

def alibi_bias(num_heads, n):
    slopes = course.alibi_slopes(num_heads)
    p = torch.arange(n)
    distance = p[:, None] - p[None, :]
    bias = -slopes[:, None, None] * distance**2
    return bias.masked_fill(distance < 0, float("-inf"))
