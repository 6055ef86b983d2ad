"""Leaves the query axis of the matrix product in: (B, 1, d_v) and (B, 1, n).

mistake: unnamed
fails: context, weights and gradients without a mask
"""


def additive_attention(query, keys, values, w_query, w_key, v, mask=None):
    scores = torch.tanh((query @ w_query)[:, None] + keys @ w_key) @ v
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)[:, None]
    return weights @ values, weights
