"""A small number keeps the log finite and changes every value.

mistake: epsilon
fails: positive weights
"""

def attention_entropy(weights, mask=None):
    entropy = 0.0 - (weights * (weights + 1e-9).log()).sum(-1)
    keys = torch.full(weights.shape[:-1], weights.shape[-1]) if mask is None else mask.expand_as(weights).sum(-1)
    return torch.where(keys > 1, entropy / keys.clamp(min=2).to(weights.dtype).log(), 0.0)
