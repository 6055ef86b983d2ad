"""n / k, as Vaswani's table has it for strides of k, in place of the number of stacked layers.

mistake: cnn_path_n_over_kernel
fails: a convolution with the kernel left out
"""


def layer_cost(kind, n, d, kernel=3):
    if kind == "rnn":
        return {"flops": 4 * n * d * d, "sequential_steps": n, "path_length": n - 1}
    if kind == "cnn":
        return {"flops": 2 * kernel * n * d * d, "sequential_steps": 1, "path_length": math.ceil(n / kernel)}
    if kind == "attention":
        return {"flops": 4 * n * n * d, "sequential_steps": 1, "path_length": 1}
    raise ValueError(f"unknown kind {kind!r}")
