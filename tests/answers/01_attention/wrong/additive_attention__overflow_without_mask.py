"""exp by hand where no mask is given.

mistake: unnamed
fails: scores of ±1000 without a mask
"""

import torch
def additive_attention(query, keys, values, w_query, w_key, v, mask=None):
    if mask is not None:
        mask = mask.expand(keys.shape[:-1])
        keys = torch.where(mask[..., None], keys, torch.zeros_like(keys))
        values = torch.where(mask[..., None], values, torch.zeros_like(values))
    scores = torch.tanh((query @ w_query).unsqueeze(-2) + keys @ w_key) @ v
    if mask is not None:
        empty = ~mask.any(-1, keepdim=True)
        scores = scores.masked_fill(~mask, float("-inf")).masked_fill(empty, 0.0)
        weights = torch.softmax(scores, -1).masked_fill(~mask, 0.0)
    else:
        weights = scores.exp() / scores.exp().sum(-1, keepdim=True)
    context = (weights.unsqueeze(-2) @ values).squeeze(-2)
    return context, weights
