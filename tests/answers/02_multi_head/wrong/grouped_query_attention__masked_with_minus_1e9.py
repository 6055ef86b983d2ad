"""Masked scores are -1e9: an empty row averages all values.

mistake: masked_with_minus_1e9
fails: a mask per head, with an empty row
"""

def grouped_query_attention(q, k, v, mask=None):
    B, H, T, D = q.shape
    G, S = k.shape[1], k.shape[2]
    k, v = k.repeat_interleave(H // G, 1), v.repeat_interleave(H // G, 1)
    s = q @ k.mT / math.sqrt(D)
    if mask is not None:
        s = s.masked_fill(~mask, -1e9)
    return s.softmax(-1) @ v
