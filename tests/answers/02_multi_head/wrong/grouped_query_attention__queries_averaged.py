"""The queries of a group are averaged.

mistake: queries_averaged
fails: four query heads, two key heads
"""

def grouped_query_attention(q, k, v, mask=None):
    times = q.shape[1] // k.shape[1]
    q = q.unflatten(1, (-1, times)).mean(2).repeat_interleave(times, 1)
    return scaled_dot_product_attention(q, k.repeat_interleave(times, 1), v.repeat_interleave(times, 1), mask)[0]
