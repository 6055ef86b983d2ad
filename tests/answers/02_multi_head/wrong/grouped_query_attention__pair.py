"""Returns the weights, too.

mistake: pair
fails: four query heads, two key heads
"""

def grouped_query_attention(q, k, v, mask=None):
    B, H, T, D = q.shape
    G, S = k.shape[1], k.shape[2]
    k, v = k.repeat_interleave(H // G, 1), v.repeat_interleave(H // G, 1)
    return scaled_dot_product_attention(q, k, v, mask)
