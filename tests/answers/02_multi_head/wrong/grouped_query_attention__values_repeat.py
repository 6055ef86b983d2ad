"""Keys and values are spread by two different functions.

mistake: values_repeat
fails: four query heads, two key heads
"""

def grouped_query_attention(q, k, v, mask=None):
    times = q.shape[1] // k.shape[1]
    return scaled_dot_product_attention(q, k.repeat_interleave(times, 1), v.repeat(1, times, 1, 1), mask)[0]
