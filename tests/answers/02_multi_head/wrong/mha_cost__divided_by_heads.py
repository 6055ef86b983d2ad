"""The cost of one head is given for all.

mistake: divided_by_heads
fails: a small layer
"""

def mha_cost(d_model, num_heads, n):
    d, h = d_model, num_heads
    return {"parameters": 4 * (d * d // h + d // h), "flops": (8 * n * d * d + 4 * n * n * d) // h, "attention_entries": n * n // h}
