"""Uses bmm: works for (batch, seq, d) and stops as soon as there are heads.

mistake: unnamed
fails: float32 in, float32 out
"""


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return torch.bmm(weights, v), weights
