"""exp by hand, without the maximum.

mistake: overflow
fails: scores of ±1000
"""

def linformer_attention(q, k, v, e, f):
    scores = q @ (e @ k).transpose(-1, -2) / math.sqrt(q.shape[-1])
    return (scores.exp() / scores.exp().sum(-1, keepdim=True)) @ (f @ v)
