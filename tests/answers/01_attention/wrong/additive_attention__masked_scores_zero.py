"""Sets masked scores to 0, which is a score like any other.

mistake: masked_scores_zero
fails: a mask hides positions and the rest sums to 1
"""


def additive_attention(query, keys, values, w_query, w_key, v, mask=None):
    scores = torch.tanh((query @ w_query)[:, None] + keys @ w_key) @ v
    if mask is not None:
        scores = scores.masked_fill(~mask, 0.0)
    weights = torch.softmax(scores, dim=-1)
    return (weights[:, None] @ values).squeeze(1), weights
