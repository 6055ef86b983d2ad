"""Scores are not scaled.

mistake: no_scaling
fails: two patches of three
"""


def hierarchical_attention(x, patch):
    B, n, d = x.shape
    if n % patch != 0:
        raise ValueError(f"{n} tokens cannot be cut into patches of {patch}")
    p = x.reshape(B, n // patch, patch, d)
    w = torch.softmax(p @ p.transpose(-1, -2), dim=-1)
    local = w @ p
    m = local.mean(dim=2)
    w2 = torch.softmax(m @ m.transpose(-1, -2), dim=-1)
    second = w2 @ m
    return (local + second[:, :, None, :]).reshape(B, n, d)
