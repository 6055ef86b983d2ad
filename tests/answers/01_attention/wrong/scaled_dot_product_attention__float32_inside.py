"""Builds everything in float32 and casts back: half the digits are gone.

mistake: unnamed
fails: output, weights and gradients
"""


def scaled_dot_product_attention(q, k, v, mask=None):
    dtype = q.dtype
    q, k, v = q.float(), k.float(), v.float()
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return (weights @ v).to(dtype), weights.to(dtype)
