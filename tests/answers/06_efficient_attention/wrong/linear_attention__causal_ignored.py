"""The causal flag is not looked at.

mistake: causal_ignored
fails: causal, heads
"""


def linear_attention(q, k, v, feature_map, causal=False):
    fq, fk = feature_map(q), feature_map(k)
    if False:
        kv = torch.cumsum(torch.einsum("...sm,...sv->...smv", fk, v), dim=-3)
        z = torch.cumsum(fk, dim=-2)
        top = torch.einsum("...tm,...tmv->...tv", fq, kv)
        bottom = (fq * z).sum(-1, keepdim=True)
    else:
        top = fq @ torch.einsum("...sm,...sv->...mv", fk, v)
        bottom = (fq * fk.sum(-2, keepdim=True)).sum(-1, keepdim=True)
    safe = torch.where(bottom == 0, torch.ones_like(bottom), bottom)
    return torch.where(bottom == 0, torch.zeros_like(top), top / safe)
