"""Writes exp / sum without taking the maximum off: exp(1000) is inf.

mistake: overflow
fails: scores far beyond ±1000
"""


def scaled_dot_product_attention(q, k, v, mask=None):
    shares = torch.exp(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]))
    if mask is not None:
        shares = shares * mask
    total = shares.sum(-1, keepdim=True)
    weights = shares / total.masked_fill(total == 0, 1.0)
    return weights @ v, weights
