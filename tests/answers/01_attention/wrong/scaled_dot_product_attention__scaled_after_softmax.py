"""Divides after the softmax, so that the weights sum to 1/√d.

mistake: scaled_after_softmax
fails: output, weights and gradients
"""


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0) / math.sqrt(q.shape[-1])
    return weights @ v, weights
