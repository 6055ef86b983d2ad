"""log2, and nothing is divided.

mistake: in_bits
fails: positive weights
"""

def attention_entropy(weights, mask=None):
    entropy = 0.0 - (weights * torch.where(weights > 0, weights, 1.0).log2()).sum(-1)
    keys = torch.full(weights.shape[:-1], weights.shape[-1]) if mask is None else mask.expand_as(weights).sum(-1)
    return entropy
