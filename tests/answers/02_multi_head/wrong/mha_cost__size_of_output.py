"""The entries of the output are counted.

mistake: size_of_output
fails: a small layer
"""

def mha_cost(d_model, num_heads, n):
    d, h = d_model, num_heads
    return {"parameters": 4 * (d * d + d), "flops": 8 * n * d * d + 4 * n * n * d, "attention_entries": n * d}
