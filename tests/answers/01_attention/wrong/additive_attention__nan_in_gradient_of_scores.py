"""Adds −inf to the scores and repairs the NaN afterwards: the backward pass brings it back.

mistake: nan_in_gradient_of_scores
fails: its gradient has no NaN
"""


def additive_attention(query, keys, values, w_query, w_key, v, mask=None):
    scores = torch.tanh((query @ w_query)[:, None] + keys @ w_key) @ v
    if mask is not None:
        scores = scores + torch.where(mask, 0.0, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    weights = weights.masked_fill(weights.isnan(), 0.0)
    return (weights[:, None] @ values).squeeze(1), weights
