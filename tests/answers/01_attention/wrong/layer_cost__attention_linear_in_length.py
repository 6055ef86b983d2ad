"""n·d² for attention: counts a product with a weight matrix, not of positions with positions.

mistake: attention_linear_in_length
fails: an attention layer
"""


def layer_cost(kind, n, d, kernel=3):
    if kind == "rnn":
        return {"flops": 4 * n * d * d, "sequential_steps": n, "path_length": n - 1}
    if kind == "cnn":
        path = math.ceil(2 * (n - 1) / (kernel - 1))
        return {"flops": 2 * kernel * n * d * d, "sequential_steps": 1, "path_length": path}
    if kind == "attention":
        return {"flops": 4 * n * d * d, "sequential_steps": 1, "path_length": 1}
    raise ValueError(f"unknown kind {kind!r}")
