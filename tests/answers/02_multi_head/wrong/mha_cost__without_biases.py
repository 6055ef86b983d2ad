"""The biases are forgotten.

mistake: without_biases
fails: a small layer
"""

def mha_cost(d_model, num_heads, n):
    d, h = d_model, num_heads
    return {"parameters": 4 * d * d, "flops": 8 * n * d * d + 4 * n * n * d, "attention_entries": h * n * n}
