"""torch's enable_gqa does the work.

mistake: unnamed
fails: four query heads, two key heads
"""

def grouped_query_attention(q, k, v, mask=None):
    times = q.shape[1] // k.shape[1]
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)
