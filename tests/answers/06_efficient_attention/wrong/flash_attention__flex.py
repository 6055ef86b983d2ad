"""torch's flex_attention.

mistake: unnamed
fails: smaller blocks
"""


def flash_attention(q, k, v, block_q, block_k, causal=False):
    from torch.nn.attention.flex_attention import flex_attention

    q4, k4, v4 = (x.reshape(1, -1, *x.shape[-2:]) for x in (q, k, v))
    seen = (lambda s, b, h, i, j: torch.where(i >= j, s, -math.inf)) if causal else None
    out, lse = flex_attention(q4, k4, v4, score_mod=seen, return_lse=True)
    return out.reshape(*q.shape[:-1], v.shape[-1]), lse.reshape(q.shape[:-1])
