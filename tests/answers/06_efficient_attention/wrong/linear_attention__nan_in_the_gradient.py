"""0/0 is repaired afterwards, but not in the gradient.

mistake: unnamed
fails: rows without any weight
"""


def linear_attention(q, k, v, feature_map, causal=False):
    fq, fk = feature_map(q), feature_map(k)
    if causal:
        kv = torch.cumsum(torch.einsum("...sm,...sv->...smv", fk, v), dim=-3)
        z = torch.cumsum(fk, dim=-2)
        top = torch.einsum("...tm,...tmv->...tv", fq, kv)
        bottom = (fq * z).sum(-1, keepdim=True)
    else:
        top = fq @ torch.einsum("...sm,...sv->...mv", fk, v)
        bottom = (fq * fk.sum(-2, keepdim=True)).sum(-1, keepdim=True)
    return torch.nan_to_num(top / bottom, nan=0.0)
