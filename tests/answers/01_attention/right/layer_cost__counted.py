"""Right: the CNN's path is counted, layer by layer, until the ends see each other; the RNN's from its two products."""


def layer_cost(kind, n, d, kernel=3):
    if kind == "rnn":
        input_product = hidden_product = 2 * d * d
        return {"flops": n * (input_product + hidden_product), "sequential_steps": n, "path_length": n - 1}
    if kind == "cnn":
        layers, seen = 0, 0
        while seen < n - 1:
            layers += 1
            seen += kernel // 2
        return {"flops": n * d * d * kernel * 2, "sequential_steps": 1, "path_length": layers}
    if kind == "attention":
        scores = mixing = 2 * n * n * d
        return {"flops": scores + mixing, "sequential_steps": 1, "path_length": 1}
    raise ValueError(f"unknown kind: {kind}")
