"""Reshapes the keys where it should transpose them: the shape fits, the numbers are shuffled.

mistake: keys_reshaped
fails: output, weights and gradients
"""


def scaled_dot_product_attention(q, k, v, mask=None):
    turned = k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])
    scores = q @ turned / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return weights @ v, weights
