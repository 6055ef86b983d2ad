"""Running sums stop before the token.

mistake: without_the_token_itself
fails: causal, heads
"""


def linear_attention(q, k, v, feature_map, causal=False):
    fq, fk = feature_map(q), feature_map(k)
    if causal:
        kv = torch.cumsum(torch.einsum("...sm,...sv->...smv", fk, v), dim=-3)
        kv = kv - torch.einsum("...sm,...sv->...smv", fk, v)
        z = torch.cumsum(fk, dim=-2) - fk
        top = torch.einsum("...tm,...tmv->...tv", fq, kv)
        bottom = (fq * z).sum(-1, keepdim=True)
        bottom = torch.cat([torch.zeros_like(bottom[..., :1, :]), bottom[..., 1:, :]], dim=-2)
    else:
        top = fq @ torch.einsum("...sm,...sv->...mv", fk, v)
        bottom = (fq * fk.sum(-2, keepdim=True)).sum(-1, keepdim=True)
    safe = torch.where(bottom == 0, torch.ones_like(bottom), bottom)
    return torch.where(bottom == 0, torch.zeros_like(top), top / safe)
