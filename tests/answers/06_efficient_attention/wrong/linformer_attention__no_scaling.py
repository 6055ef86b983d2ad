"""Not scaled.

mistake: no_scaling
fails: six keys mixed into three
"""


def linformer_attention(q, k, v, e, f):
    short_k = torch.matmul(e, k)
    short_v = torch.matmul(f, v)
    scores = q @ short_k.transpose(-1, -2)
    return scores.softmax(dim=-1) @ short_v
