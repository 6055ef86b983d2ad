"""Takes the mask and does nothing with it.

mistake: mask_ignored
fails: a mask hides positions and the rest sums to 1
"""


def additive_attention(query, keys, values, w_query, w_key, v, mask=None):
    scores = torch.tanh((query @ w_query)[:, None] + keys @ w_key) @ v
    if mask is not None:
        scores.masked_fill(~mask, -torch.inf)  # without an underscore, and nobody keeps the result
    weights = torch.softmax(scores, dim=-1)
    return (weights[:, None] @ values).squeeze(1), weights
