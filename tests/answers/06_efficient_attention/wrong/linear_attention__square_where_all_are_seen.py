"""Running sums where causal, all pairs otherwise.

mistake: square_where_all_are_seen
fails: where all keys are seen
"""


def linear_attention(q, k, v, feature_map, causal=False):
    a, b = feature_map(q), feature_map(k)
    if causal:
        weighted = (a.unsqueeze(-2) @ (b.unsqueeze(-1) * v.unsqueeze(-2)).cumsum(-3)).squeeze(-2)
        total = (a * b.cumsum(-2)).sum(-1, keepdim=True)
    else:
        weights = a @ b.transpose(-2, -1)
        weighted, total = weights @ v, weights.sum(-1, keepdim=True)
    empty = total == 0
    return (weighted / total.masked_fill(empty, 1)).masked_fill(empty, 0)
