"""Scaled by the square root of the width of a value.

mistake: scaled_by_value_width
fails: fewer queries
"""


def linformer_attention(q, k, v, e, f):
    weights = torch.softmax(q @ (e @ k).mT / v.shape[-1] ** 0.5, dim=-1)
    return weights @ (f @ v)
