"""Clamps at the smallest normal number, which changes no value and keeps the gradient finite."""

def attention_entropy(weights, mask=None):
    logs = weights.clamp(min=torch.finfo(weights.dtype).tiny).log()
    entropy = -(weights * logs).sum(-1)
    shape = weights.shape
    keys = torch.full(shape[:-1], shape[-1]) if mask is None else mask.expand(shape).long().sum(-1)
    return torch.where(keys > 1, entropy / keys.clamp(min=2).to(weights.dtype).log(), torch.zeros_like(entropy))
