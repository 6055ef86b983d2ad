"""The full length normalises every row.

mistake: log_of_padded_length
fails: a mask, with rows of one key and of none
"""

def attention_entropy(weights, mask=None):
    entropy = 0.0 - (weights * torch.where(weights > 0, weights, 1.0).log()).sum(-1)
    keys = torch.full(weights.shape[:-1], weights.shape[-1]) if mask is None else torch.full(weights.shape[:-1], weights.shape[-1])
    return torch.where(keys > 1, entropy / keys.clamp(min=2).to(weights.dtype).log(), 0.0)
