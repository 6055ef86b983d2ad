"""The scale is forgotten.

mistake: not_scaled
fails: four query heads, two key heads
"""

def grouped_query_attention(q, k, v, mask=None):
    times = q.shape[1] // k.shape[1]
    scores = q @ k.repeat_interleave(times, 1).mT
    return course.masked_softmax(scores, mask) @ v.repeat_interleave(times, 1)
