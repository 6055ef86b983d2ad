"""The two attention products of one head.

mistake: products_divided
fails: a small layer
"""

def mha_cost(d_model, num_heads, n):
    return {"parameters": 4 * d_model * d_model + 4 * d_model, "flops": 8 * n * d_model ** 2 + 4 * n * n * d_model // num_heads, "attention_entries": num_heads * n * n}
