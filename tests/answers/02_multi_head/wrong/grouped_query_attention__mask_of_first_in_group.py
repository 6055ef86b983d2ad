"""One mask per group.

mistake: mask_of_first_in_group
fails: a mask per head, with an empty row
"""

def grouped_query_attention(q, k, v, mask=None):
    B, H, T, D = q.shape
    G, S = k.shape[1], k.shape[2]
    q = q.reshape(B, G, H // G, T, D)
    if mask is not None:
        mask = mask.expand(B, H, T, S)[:, :: H // G].unsqueeze(2)
    return scaled_dot_product_attention(q, k.unsqueeze(2), v.unsqueeze(2), mask)[0].reshape(B, H, T, D)
