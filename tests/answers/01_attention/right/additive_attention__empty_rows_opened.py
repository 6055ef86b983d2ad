"""Right: rows without a key are opened before the softmax and multiplied by zero after it; weights by log-softmax."""


def additive_attention(query, keys, values, w_query, w_key, v, mask=None):
    hidden = torch.tanh((query @ w_query).unsqueeze(-2) + keys @ w_key)
    scores = (hidden * v).sum(-1)
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    some = mask.any(dim=-1, keepdim=True)
    scores = scores.masked_fill(~mask & some, -math.inf)
    weights = scores.log_softmax(-1).exp() * some
    return (weights.unsqueeze(-1) * values).sum(-2), weights
