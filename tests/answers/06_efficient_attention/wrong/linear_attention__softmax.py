"""A softmax over the similarities.

mistake: softmax
fails: all keys
"""


def linear_attention(q, k, v, feature_map, causal=False):
    pairs = feature_map(q) @ feature_map(k).transpose(-2, -1)
    if causal:
        pairs = pairs.masked_fill(torch.ones_like(pairs).triu(1).bool(), -math.inf)
    return pairs.softmax(-1) @ v
