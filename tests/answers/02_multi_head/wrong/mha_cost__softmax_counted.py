"""Softmax and scaling are counted too: 5 operations for each weight.

mistake: unnamed
fails: a small layer
"""

def mha_cost(d_model, num_heads, n):
    d, h = d_model, num_heads
    return {"parameters": 4 * (d * d + d), "flops": 8 * n * d * d + 4 * n * n * d + 5 * h * n * n, "attention_entries": h * n * n}
