"""Leaves the mask and the softmax to the package.

mistake: unnamed
fails: a mask per query
"""


def scaled_dot_product_attention(q, k, v, mask=None):
    weights = models.masked_softmax(q @ k.mT / math.sqrt(q.shape[-1]), mask)
    return weights @ v, weights
