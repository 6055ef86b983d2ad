"""Small weights are clamped.

mistake: clamped
fails: weights of exactly 0
"""

def attention_entropy(weights, mask=None):
    entropy = 0.0 - (weights * weights.clamp(min=1e-3).log()).sum(-1)
    keys = torch.full(weights.shape[:-1], weights.shape[-1]) if mask is None else mask.expand_as(weights).sum(-1)
    return torch.where(keys > 1, entropy / keys.clamp(min=2).to(weights.dtype).log(), 0.0)
