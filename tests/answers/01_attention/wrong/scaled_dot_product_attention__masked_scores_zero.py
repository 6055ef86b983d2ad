"""Multiplies the scores by the mask: a masked score is 0, and exp(0) = 1 is a large weight.

mistake: masked_scores_zero
fails: a mask per query
"""


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores * mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights
