"""Takes every other kind for attention and raises nothing.

mistake: any_kind_accepted
fails: another kind is a ValueError, a known one is not
"""


def layer_cost(kind, n, d, kernel=3):
    if kind == "rnn":
        return {"flops": 4 * n * d * d, "sequential_steps": n, "path_length": n - 1}
    if kind == "cnn":
        path = math.ceil(2 * (n - 1) / (kernel - 1))
        return {"flops": 2 * kernel * n * d * d, "sequential_steps": 1, "path_length": path}
    return {"flops": 4 * n * n * d, "sequential_steps": 1, "path_length": 1}
