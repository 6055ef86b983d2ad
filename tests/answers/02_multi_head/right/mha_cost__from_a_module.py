"""Counts the parameters of a real module."""

def mha_cost(d_model, num_heads, n):
    layer = course.MultiHeadAttention(d_model, num_heads)
    parameters = sum(p.numel() for p in layer.parameters())
    return {
        "attention_entries": num_heads * n * n,
        "flops": 8 * n * d_model**2 + 4 * n**2 * d_model,
        "parameters": parameters,
    }
