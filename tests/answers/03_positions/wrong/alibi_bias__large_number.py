"""−1e9 for −inf.

mistake: large_number
fails: four heads
"""

def alibi_bias(num_heads, n):
    slopes = course.alibi_slopes(num_heads)
    p = torch.arange(n)
    distance = p[:, None] - p[None, :]
    bias = -slopes[:, None, None] * distance
    return bias.masked_fill(distance < 0, -1e9)
