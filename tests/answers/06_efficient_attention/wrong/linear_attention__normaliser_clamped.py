"""A least value for the normaliser.

mistake: normaliser_clamped
fails: a million times smaller
"""


def linear_attention(q, k, v, feature_map, causal=False):
    a, b = feature_map(q), feature_map(k)
    if causal:
        weighted = (a.unsqueeze(-2) @ (b.unsqueeze(-1) * v.unsqueeze(-2)).cumsum(-3)).squeeze(-2)
        total = (a * b.cumsum(-2)).sum(-1, keepdim=True)
    else:
        weighted = a @ (b.transpose(-2, -1) @ v)
        total = (a * b.sum(-2, keepdim=True)).sum(-1, keepdim=True)
    return weighted / total.clamp(min=1e-6)
