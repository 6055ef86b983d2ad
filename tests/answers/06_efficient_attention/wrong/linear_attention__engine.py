"""The package's running sums.

mistake: unnamed
fails: causal, heads
"""


def linear_attention(q, k, v, feature_map, causal=False):
    from tformer_course.models.efficient_attention import linear

    a, b = feature_map(q), feature_map(k)
    values = torch.cat([v, torch.ones_like(v[..., :1])], -1)
    sums = linear._causal_sums(a, b, values) if causal else a @ (b.transpose(-2, -1) @ values)
    empty = sums[..., -1:] == 0
    return (sums[..., :-1] / sums[..., -1:].masked_fill(empty, 1)).masked_fill(empty, 0)
