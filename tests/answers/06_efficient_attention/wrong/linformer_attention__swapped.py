"""e and f exchanged.

mistake: swapped
fails: six keys mixed into three
"""


def linformer_attention(q, k, v, e, f):
    short_k = torch.matmul(f, k)
    short_v = torch.matmul(e, v)
    scores = q @ short_k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return scores.softmax(dim=-1) @ short_v
