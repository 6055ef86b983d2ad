"""All pairs at once.

mistake: square
fails: no T×T tensor
"""


def linear_attention(q, k, v, feature_map, causal=False):
    pairs = feature_map(q) @ feature_map(k).transpose(-2, -1)
    if causal:
        pairs = pairs.tril()
    total = pairs.sum(-1, keepdim=True)
    return torch.where(total == 0, 0.0, pairs @ v / torch.where(total == 0, 1.0, total))
