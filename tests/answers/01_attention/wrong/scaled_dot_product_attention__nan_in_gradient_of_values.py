"""Repairs output and weights at the very end, when NaN weights have already met the values.

mistake: nan_in_gradient_of_values
fails: its gradient has no NaN
"""


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return torch.nan_to_num(weights @ v), torch.nan_to_num(weights)
