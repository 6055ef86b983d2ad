"""Reads True as "hide this key".

mistake: mask_inverted
fails: a mask hides positions and the rest sums to 1
"""


def additive_attention(query, keys, values, w_query, w_key, v, mask=None):
    scores = torch.tanh((query @ w_query)[:, None] + keys @ w_key) @ v
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return (weights[:, None] @ values).squeeze(1), weights
