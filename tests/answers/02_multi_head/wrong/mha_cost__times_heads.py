"""Each head is given the full width.

mistake: times_heads
fails: a small layer
"""

def mha_cost(d_model, num_heads, n):
    d, h = d_model, num_heads
    return {"parameters": h * 4 * (d * d + d), "flops": h * (8 * n * d * d + 4 * n * n * d), "attention_entries": h * n * n}
