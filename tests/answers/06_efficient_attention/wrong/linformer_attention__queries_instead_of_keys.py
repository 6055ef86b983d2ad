"""The queries are mixed, keys and values are not.

mistake: queries_instead_of_keys
fails: six keys
"""

def linformer_attention(q, k, v, e, f):
    scores = (e @ q) @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    return scores.softmax(-1) @ v
