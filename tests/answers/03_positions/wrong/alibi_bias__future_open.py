"""No mask, distance on both sides.

mistake: future_open
fails: four heads
"""

def alibi_bias(num_heads, n):
    slopes = course.alibi_slopes(num_heads)
    p = torch.arange(n)
    distance = p[:, None] - p[None, :]
    bias = -slopes[:, None, None] * distance.abs()
    return bias
