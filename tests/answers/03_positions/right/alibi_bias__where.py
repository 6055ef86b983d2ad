"""torch.where instead of masked_fill.
"""

def alibi_bias(num_heads, n):
    back = torch.arange(n).view(n, 1) - torch.arange(n)
    penalty = course.alibi_slopes(num_heads).reshape(num_heads, 1, 1) * -back
    return torch.where(back >= 0, penalty, torch.tensor(float("-inf")))
