"""Divides by the log of T, not of S.

mistake: by_queries
fails: positive weights
"""

def attention_entropy(weights, mask=None):
    safe = torch.where(weights > 0, weights, 1.0)
    nats = -(weights * safe.log()).sum(-1)
    if mask is None:
        mask = torch.ones_like(weights, dtype=torch.bool)
    count = mask.expand_as(weights).sum(-1)
    return nats / math.log(max(2, weights.shape[-2]))
