"""Leaves the softmax out.

mistake: no_softmax
fails: output, weights and gradients
"""


def scaled_dot_product_attention(q, k, v, mask=None):
    weights = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ v, weights
