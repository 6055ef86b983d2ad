"""Gives the scores back where the weights are asked for.

mistake: scores_returned
fails: output, weights and gradients
"""


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return torch.softmax(scores, dim=-1).nan_to_num(0.0) @ v, scores
