"""torch does the attention.

mistake: unnamed
fails: six keys mixed into three
"""


def linformer_attention(q, k, v, e, f):
    short_k = torch.matmul(e, k)
    short_v = torch.matmul(f, v)
    return F.scaled_dot_product_attention(q, short_k, short_v)
