"""Squashes the query's part and the key's part one by one, and adds afterwards: the query drops out again.

mistake: tanh_of_each
fails: context, weights and gradients without a mask
"""


def additive_attention(query, keys, values, w_query, w_key, v, mask=None):
    scores = (torch.tanh(query @ w_query)[:, None] + torch.tanh(keys @ w_key)) @ v
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return (weights[:, None] @ values).squeeze(1), weights
