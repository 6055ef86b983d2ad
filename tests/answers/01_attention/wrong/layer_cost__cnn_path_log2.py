"""A binary tree of layers in mind: log₂ n.

mistake: cnn_path_log2
fails: a convolution with the kernel left out
"""


def layer_cost(kind, n, d, kernel=3):
    if kind == "rnn":
        return {"flops": 4 * n * d * d, "sequential_steps": n, "path_length": n - 1}
    if kind == "cnn":
        return {"flops": 2 * kernel * n * d * d, "sequential_steps": 1, "path_length": math.ceil(math.log2(n))}
    if kind == "attention":
        return {"flops": 4 * n * n * d, "sequential_steps": 1, "path_length": 1}
    raise ValueError(f"unknown kind {kind!r}")
