"""The attention products are counted h times at full width.

mistake: products_times_heads
fails: a small layer
"""

def mha_cost(d_model, num_heads, n):
    d, h = d_model, num_heads
    return {"parameters": 4 * (d * d + d), "flops": 8 * n * d * d + 4 * h * n * n * d, "attention_entries": h * n * n}
