"""The bonus is slope·j, equal up to a constant per row.

mistake: bonus_by_position
fails: four heads
"""

def alibi_bias(num_heads, n):
    slopes = course.alibi_slopes(num_heads)
    p = torch.arange(n)
    distance = p[:, None] - p[None, :]
    bias = slopes[:, None, None] * p.expand(n, n)
    return bias.masked_fill(distance < 0, float("-inf"))
