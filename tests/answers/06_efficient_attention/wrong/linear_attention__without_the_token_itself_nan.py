"""Running sums stop before the token, and the first is 0/0.

mistake: without_the_token_itself_nan
fails: causal, heads
"""


def linear_attention(q, k, v, feature_map, causal=False):
    fq, fk = feature_map(q), feature_map(k)
    pairs = fq @ fk.transpose(-2, -1)
    if causal:
        pairs = pairs.tril(-1)
    return pairs @ v / pairs.sum(-1, keepdim=True)
