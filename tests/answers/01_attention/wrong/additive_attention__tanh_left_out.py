"""Leaves tanh out: then the query adds the same number to every score, and softmax forgets it.

mistake: tanh_left_out
fails: context, weights and gradients without a mask
"""


def additive_attention(query, keys, values, w_query, w_key, v, mask=None):
    scores = ((query @ w_query)[:, None] + keys @ w_key) @ v
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return (weights[:, None] @ values).squeeze(1), weights
