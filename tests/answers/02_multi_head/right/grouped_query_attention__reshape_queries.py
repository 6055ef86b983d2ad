"""Groups the queries instead of repeating the keys: nothing is copied."""

def grouped_query_attention(q, k, v, mask=None):
    b, h, t, d = q.shape
    g, s = k.shape[1], k.shape[2]
    if mask is not None:
        mask = mask.expand(b, h, t, s).reshape(b, g, h // g, t, s)
    output, _ = scaled_dot_product_attention(q.reshape(b, g, h // g, t, d), k.unsqueeze(2), v.unsqueeze(2), mask)
    return output.reshape(b, h, t, d)
