"""exp by hand, without the maximum.

mistake: overflow
fails: scores of ±10⁵
"""

import torch
def grouped_query_attention(q, k, v, mask=None):
    r = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(r, 1), v.repeat_interleave(r, 1)
    e = (q @ k.mT / q.shape[-1] ** 0.5).exp()
    if mask is not None:
        e = e * mask
    z = e.sum(-1, keepdim=True)
    return e / torch.where(z == 0, torch.ones_like(z), z) @ v
