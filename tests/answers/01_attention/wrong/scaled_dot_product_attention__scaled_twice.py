"""Scales the query first and the scores once more.

mistake: scaled_by_d_k
fails: output, weights and gradients
"""


def scaled_dot_product_attention(q, k, v, mask=None):
    q = q / math.sqrt(q.shape[-1])
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return weights @ v, weights
