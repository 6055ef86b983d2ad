"""Takes the first axis for the one that softmax runs over.

mistake: softmax_over_batch
fails: context, weights and gradients without a mask
"""


def additive_attention(query, keys, values, w_query, w_key, v, mask=None):
    scores = torch.tanh((query @ w_query)[:, None] + keys @ w_key) @ v
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=0).nan_to_num(0.0)
    return (weights[:, None] @ values).squeeze(1), weights
