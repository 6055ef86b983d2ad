"""The formula for powers of two is used for every number.

mistake: smooth_for_any_number
fails: twelve heads
"""

def alibi_bias(num_heads, n):
    slopes = torch.tensor([2.0 ** (-8.0 * (h + 1) / num_heads) for h in range(num_heads)])
    p = torch.arange(n)
    distance = p[:, None] - p[None, :]
    bias = -slopes[:, None, None] * distance
    return bias.masked_fill(distance < 0, float("-inf"))
