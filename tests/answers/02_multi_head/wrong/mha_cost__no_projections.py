"""The FLOPs leave out the projections.

mistake: no_projections
fails: a small layer
"""

def mha_cost(d_model, num_heads, n):
    d, h = d_model, num_heads
    return {"parameters": 4 * (d * d + d), "flops": 4 * n * n * d, "attention_entries": h * n * n}
