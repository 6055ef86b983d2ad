"""Divides by the root of the hidden size, which belongs to the dot product alone.

mistake: scaled
fails: context, weights and gradients without a mask
"""


def additive_attention(query, keys, values, w_query, w_key, v, mask=None):
    scores = torch.tanh((query @ w_query)[:, None] + keys @ w_key) @ v / math.sqrt(v.shape[0])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return (weights[:, None] @ values).squeeze(1), weights
