"""Nested loops, slopes from the finished function.
"""

def alibi_bias(num_heads, n):
    slopes = course.alibi_slopes(num_heads).tolist()
    bias = torch.full((num_heads, n, n), float("-inf"))
    for h, slope in enumerate(slopes):
        for i in range(n):
            for j in range(i + 1):
                bias[h, i, j] = -slope * (i - j)
    return bias
