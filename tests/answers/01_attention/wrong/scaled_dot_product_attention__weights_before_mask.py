"""The output is right; the weights that come back are those before masking.

mistake: weights_before_mask
fails: a mask per query
"""


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        masked = torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1).nan_to_num(0.0)
        return masked @ v, weights
    return weights @ v, weights
