"""Only q times k is counted.

mistake: one_product
fails: a small layer
"""

def mha_cost(d_model, num_heads, n):
    d, h = d_model, num_heads
    return {"parameters": 4 * (d * d + d), "flops": 8 * n * d * d + 2 * n * n * d, "attention_entries": h * n * n}
