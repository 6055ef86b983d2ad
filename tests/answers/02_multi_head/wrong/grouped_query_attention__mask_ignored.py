"""The mask is accepted and never used.

mistake: mask_ignored
fails: a mask for all heads
"""

def grouped_query_attention(q, k, v, mask=None):
    times = q.shape[1] // k.shape[1]
    return scaled_dot_product_attention(q, k.repeat_interleave(times, 1), v.repeat_interleave(times, 1))[0]
