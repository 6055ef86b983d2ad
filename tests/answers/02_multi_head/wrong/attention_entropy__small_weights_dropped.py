"""Small weights are taken for 0.

mistake: unnamed
fails: weights of exactly 0
"""

def attention_entropy(weights, mask=None):
    safe = torch.where(weights > 1e-6, weights, 1.0)
    nats = -(weights * safe.log()).sum(-1)
    if mask is None:
        mask = torch.ones_like(weights, dtype=torch.bool)
    count = mask.expand_as(weights).sum(-1)
    return torch.where(count > 1, nats / count.clamp(min=2).to(nats.dtype).log(), 0.0)
