"""Softmax over all keys, then mixed.

mistake: softmax_before_mixing
fails: six keys mixed into three
"""


def linformer_attention(q, k, v, e, f):
    short_k = torch.matmul(e, k)
    short_v = torch.matmul(f, v)
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return scores.softmax(dim=-1) @ e.T @ short_v
