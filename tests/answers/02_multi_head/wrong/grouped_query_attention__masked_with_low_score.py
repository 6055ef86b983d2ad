"""−10000 at hidden scores, zero rows repaired.

mistake: masked_with_low_score
fails: scores of ±10⁵
"""

import torch, math
def grouped_query_attention(q, k, v, mask=None):
    r = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(r, 1), v.repeat_interleave(r, 1)
    s = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is None:
        return s.softmax(-1) @ v
    mask = mask.expand(s.shape)
    dead = ~mask.any(-1, keepdim=True)
    return s.masked_fill(~(mask | dead), -1e4).softmax(-1).masked_fill(dead, 0) @ v
