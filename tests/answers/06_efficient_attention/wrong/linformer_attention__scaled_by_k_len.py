"""Scaled by √k_len.

mistake: scaled_by_k_len
fails: six keys mixed into three
"""


def linformer_attention(q, k, v, e, f):
    short_k = torch.matmul(e, k)
    short_v = torch.matmul(f, v)
    scores = q @ short_k.transpose(-1, -2) / e.shape[0] ** 0.5
    return scores.softmax(dim=-1) @ short_v
