"""Softmax over the queries.

mistake: softmax_over_queries
fails: six keys mixed into three
"""


def linformer_attention(q, k, v, e, f):
    short_k = torch.matmul(e, k)
    short_v = torch.matmul(f, v)
    scores = q @ short_k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return scores.softmax(dim=-2) @ short_v
