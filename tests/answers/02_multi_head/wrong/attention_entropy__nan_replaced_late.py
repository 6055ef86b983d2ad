"""NaN is replaced after the log: right values, NaN gradients.

mistake: unnamed
fails: gradients at weights of 0
"""

def attention_entropy(weights, mask=None):
    entropy = 0.0 - torch.nan_to_num(weights * weights.log()).sum(-1)
    keys = torch.full(weights.shape[:-1], weights.shape[-1]) if mask is None else mask.expand_as(weights).sum(-1)
    return torch.where(keys > 1, entropy / keys.clamp(min=2).to(weights.dtype).log(), 0.0)
