"""Every query head reads key-value head 0.

mistake: first_head_only
fails: four query heads, two key heads
"""

def grouped_query_attention(q, k, v, mask=None):
    times = q.shape[1] // k.shape[1]
    return scaled_dot_product_attention(q, k[:, :1], v[:, :1], mask)[0]
