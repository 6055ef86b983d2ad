"""log 1 = 0 divides.

mistake: nan_for_one_key
fails: one key only, beside many
"""

def attention_entropy(weights, mask=None):
    entropy = 0.0 - (weights * torch.where(weights > 0, weights, 1.0).log()).sum(-1)
    keys = torch.full(weights.shape[:-1], weights.shape[-1]) if mask is None else mask.expand_as(weights).sum(-1)
    return entropy / keys.to(weights.dtype).log()
