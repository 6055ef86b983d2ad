"""Detaches the weights "because they are only shown": nothing learns where to look any more.

mistake: weights_detached
fails: context, weights and gradients without a mask
"""


def additive_attention(query, keys, values, w_query, w_key, v, mask=None):
    scores = torch.tanh((query @ w_query)[:, None] + keys @ w_key) @ v
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0).detach()
    return (weights[:, None] @ values).squeeze(1), weights
