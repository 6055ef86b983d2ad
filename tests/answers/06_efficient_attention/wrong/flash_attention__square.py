"""All scores at once.

mistake: square
fails: no T×S tensor
"""


def flash_attention(q, k, v, block_q, block_k, causal=False):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if causal:
        scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -math.inf)
    return scores.softmax(-1) @ v, scores.logsumexp(-1)
