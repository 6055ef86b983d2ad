"""w_o is forgotten.

mistake: three_matrices
fails: a small layer
"""

def mha_cost(d_model, num_heads, n):
    d, h = d_model, num_heads
    return {"parameters": 3 * (d * d + d), "flops": 6 * n * d * d + 4 * n * n * d, "attention_entries": h * n * n}
