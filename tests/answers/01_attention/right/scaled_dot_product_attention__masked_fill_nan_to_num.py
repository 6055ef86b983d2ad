"""Right: masked_fill, softmax, NaN to zero. The gradient is right too, as masked_fill lets none through."""


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask == False, float("-inf"))  # noqa: E712
    weights = F.softmax(scores, dim=-1).nan_to_num(0.0)
    output = weights @ v
    return output, weights
