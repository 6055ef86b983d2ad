"""Weighs with the raw scores.

mistake: no_softmax
fails: context, weights and gradients without a mask
"""


def additive_attention(query, keys, values, w_query, w_key, v, mask=None):
    weights = torch.tanh((query @ w_query)[:, None] + keys @ w_key) @ v
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return (weights[:, None] @ values).squeeze(1), weights
