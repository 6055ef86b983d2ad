"""A mask over the whole matrix of scores.

mistake: square
fails: no T×T tensor
"""


def sliding_window_attention(q, k, v, window):
    n = q.shape[-2]
    dist = torch.arange(n)[:, None] - torch.arange(n)[None, :]
    mask = (dist >= 0) & (dist < window)
    scores = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).masked_fill(~mask, -math.inf)
    return scores.softmax(-1) @ v
