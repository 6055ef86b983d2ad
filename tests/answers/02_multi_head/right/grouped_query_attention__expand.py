"""expand and flatten, as repeat_kv in transformers."""

def grouped_query_attention(q, k, v, mask=None):
    times = q.size(1) // k.size(1)
    k, v = (t[:, :, None].expand(-1, -1, times, -1, -1).flatten(1, 2) for t in (k, v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    return course.masked_softmax(scores, mask) @ v
