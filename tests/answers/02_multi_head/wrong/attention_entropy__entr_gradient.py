"""special.entr is right at zero, but its gradient there is infinite.

mistake: unnamed
fails: gradients at weights of 0
"""

def attention_entropy(weights, mask=None):
    entropy = torch.special.entr(weights).sum(-1)
    keys = torch.full(weights.shape[:-1], weights.shape[-1]) if mask is None else mask.expand_as(weights).sum(-1)
    return torch.where(keys > 1, entropy / keys.clamp(min=2).to(weights.dtype).log(), 0.0)
