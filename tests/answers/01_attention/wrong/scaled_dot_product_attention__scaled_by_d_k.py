"""Divides by d_k and not by its root: the variance of the scores becomes 1 / d_k.

mistake: scaled_by_d_k
fails: output, weights and gradients
"""


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1]
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return weights @ v, weights
