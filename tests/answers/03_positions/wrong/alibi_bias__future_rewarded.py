"""No mask at all.

mistake: future_rewarded
fails: four heads
"""

def alibi_bias(num_heads, n):
    slopes = course.alibi_slopes(num_heads)
    p = torch.arange(n)
    distance = p[:, None] - p[None, :]
    bias = -slopes[:, None, None] * distance
    return bias
