"""The projections are d by d/h.

mistake: projections_divided
fails: a small layer
"""

def mha_cost(d_model, num_heads, n):
    d, h = d_model, num_heads
    return {"parameters": 4 * (d * d + d), "flops": 8 * n * d * (d // h) + 4 * n * n * d, "attention_entries": h * n * n}
