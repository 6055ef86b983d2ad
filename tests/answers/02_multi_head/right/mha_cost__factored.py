"""The closed form, factored."""

def mha_cost(d_model, num_heads, n):
    return dict(
        parameters=4 * d_model * d_model + 4 * d_model,
        flops=4 * n * d_model * (2 * d_model + n),
        attention_entries=num_heads * n**2,
    )
