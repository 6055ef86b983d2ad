"""One softmax over the whole matrix of scores.

mistake: softmax_over_all
fails: output, weights and gradients
"""


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    top = scores.amax(dim=(-2, -1), keepdim=True)
    weights = (scores - top).exp()
    weights = weights / weights.sum(dim=(-2, -1), keepdim=True)
    return weights @ v, weights
