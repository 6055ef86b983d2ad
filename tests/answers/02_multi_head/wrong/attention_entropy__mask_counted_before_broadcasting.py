"""The mask is counted as it comes.

mistake: mask_counted_before_broadcasting
fails: a mask with an axis of size 1
"""

def attention_entropy(weights, mask=None):
    entropy = 0.0 - (weights * torch.where(weights > 0, weights, 1.0).log()).sum(-1)
    keys = torch.full(weights.shape[:-1], weights.shape[-1]) if mask is None else mask.sum(-1).expand(weights.shape[:-1])
    return torch.where(keys > 1, entropy / keys.clamp(min=2).to(weights.dtype).log(), 0.0)
