"""Crosses masked weights out after the softmax: what is left no longer sums to one.

mistake: mask_after_softmax
fails: a mask hides positions and the rest sums to 1
"""


def additive_attention(query, keys, values, w_query, w_key, v, mask=None):
    scores = torch.tanh((query @ w_query)[:, None] + keys @ w_key) @ v
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * mask
    return (weights[:, None] @ values).squeeze(1), weights
