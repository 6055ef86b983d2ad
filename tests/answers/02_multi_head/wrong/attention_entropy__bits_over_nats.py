"""Bits divided by nats.

mistake: bits_over_nats
fails: positive weights
"""

def attention_entropy(weights, mask=None):
    safe = torch.where(weights > 0, weights, 1.0)
    nats = -(weights * safe.log2()).sum(-1)
    if mask is None:
        mask = torch.ones_like(weights, dtype=torch.bool)
    count = mask.expand_as(weights).sum(-1)
    return torch.where(count > 1, nats / count.clamp(min=2).to(nats.dtype).log(), 0.0)
