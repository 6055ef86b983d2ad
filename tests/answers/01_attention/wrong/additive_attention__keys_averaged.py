"""Takes keys and values for the same thing, as they are in Bahdanau's paper, and averages the keys.

mistake: keys_averaged
fails: context, weights and gradients without a mask
"""


def additive_attention(query, keys, values, w_query, w_key, v, mask=None):
    scores = torch.tanh((query @ w_query)[:, None] + keys @ w_key) @ v
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return (weights[:, None] @ keys).squeeze(1), weights
