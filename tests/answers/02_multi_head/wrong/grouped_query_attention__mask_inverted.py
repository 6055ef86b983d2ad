"""True is read as blocked.

mistake: mask_inverted
fails: a mask for all heads
"""

def grouped_query_attention(q, k, v, mask=None):
    times = q.shape[1] // k.shape[1]
    mask = None if mask is None else ~mask
    return scaled_dot_product_attention(q, k.repeat_interleave(times, 1), v.repeat_interleave(times, 1), mask)[0]
