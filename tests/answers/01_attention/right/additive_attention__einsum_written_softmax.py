"""Right: einsum throughout, and the softmax written out with the maximum taken off."""


def additive_attention(query, keys, values, w_query, w_key, v, mask=None):
    asked = torch.einsum("bq,qh->bh", query, w_query)
    offered = torch.einsum("bnk,kh->bnh", keys, w_key)
    scores = torch.einsum("bnh,h->bn", torch.tanh(asked[:, None] + offered), v)
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    top = scores.amax(dim=-1, keepdim=True).clamp(min=torch.finfo(scores.dtype).min)
    shares = torch.exp(scores - top)
    total = shares.sum(dim=-1, keepdim=True)
    weights = shares / torch.where(total > 0, total, torch.ones_like(total))
    return torch.einsum("bn,bnv->bv", weights, values), weights
