"""Repairs the NaN of an empty row at the very end, when it has already met the values.

mistake: nan_in_gradient_of_values
fails: its gradient has no NaN
"""


def additive_attention(query, keys, values, w_query, w_key, v, mask=None):
    scores = torch.tanh((query @ w_query)[:, None] + keys @ w_key) @ v
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    context = (weights[:, None] @ values).squeeze(1)
    return context.nan_to_num(0.0), weights.nan_to_num(0.0)
