"""The first values as they are.

mistake: values_not_mixed
fails: six keys mixed into three
"""


def linformer_attention(q, k, v, e, f):
    short_k = torch.matmul(e, k)
    short_v = v[..., : f.shape[0], :]
    scores = q @ short_k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return scores.softmax(dim=-1) @ short_v
