"""An assertion in place of a ValueError.

mistake: unnamed
fails: does not divide n
"""


def hierarchical_attention(x, patch):
    B, n, d = x.shape
    assert n % patch == 0
    p = x.reshape(B, n // patch, patch, d)
    w = torch.softmax(p @ p.transpose(-1, -2) / d**0.5, dim=-1)
    local = w @ p
    m = local.mean(dim=2)
    w2 = torch.softmax(m @ m.transpose(-1, -2) / d**0.5, dim=-1)
    second = w2 @ m
    return (local + second[:, :, None, :]).reshape(B, n, d)
