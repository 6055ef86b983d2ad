"""The package's engine in place of the package's answer.

mistake: unnamed
fails: smaller blocks
"""


def flash_attention(q, k, v, block_q, block_k, causal=False):
    from tformer_course.models.efficient_attention import flash

    return flash._Tiled.apply(q, k, v, block_q, block_k, k.shape[-2] if causal else 0)
