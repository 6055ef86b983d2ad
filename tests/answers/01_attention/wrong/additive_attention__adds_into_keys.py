"""Saves memory by adding the query into the projected keys, after projecting the keys in place.

mistake: unnamed
fails: a mask hides positions and the rest sums to 1
"""


def additive_attention(query, keys, values, w_query, w_key, v, mask=None):
    if mask is not None:
        keys[~mask] = 0.0  # "padding must not matter"
    scores = torch.tanh((query @ w_query)[:, None] + keys @ w_key) @ v
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return (weights[:, None] @ values).squeeze(1), weights
