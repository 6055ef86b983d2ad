"""Masked after the softmax and divided again.

mistake: renormalised
fails: scores of ±10⁵
"""

import torch
def grouped_query_attention(q, k, v, mask=None):
    r = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(r, 1), v.repeat_interleave(r, 1)
    w = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
    if mask is not None:
        w = w * mask
        w = w / w.sum(-1, keepdim=True).clamp_min(1e-9)
    return w @ v
