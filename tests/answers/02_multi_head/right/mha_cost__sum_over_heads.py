"""Counts head by head."""

def mha_cost(d_model, num_heads, n):
    d = d_model // num_heads
    flops, entries = 0, 0
    for _ in range(num_heads):
        flops += 3 * 2 * n * d_model * d + 2 * n * n * d + 2 * n * n * d
        entries += n * n
    flops += 2 * n * d_model * d_model
    return {"parameters": 4 * d_model * (d_model + 1), "flops": flops, "attention_entries": entries}
