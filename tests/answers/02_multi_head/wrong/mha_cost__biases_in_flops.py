"""Counts the addition of biases.

mistake: biases_in_flops
fails: flops
"""

def mha_cost(d_model, num_heads, n):
    c = d_model
    return {"parameters": 4 * (c * c + c), "flops": 8 * n * c * c + 4 * n * c + 4 * n * n * c, "attention_entries": num_heads * n * n}
