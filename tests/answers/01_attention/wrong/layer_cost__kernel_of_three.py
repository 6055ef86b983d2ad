"""Has the kernel's default in the formulas.

mistake: kernel_of_three
fails: a convolution whose last layer is only half needed
"""


def layer_cost(kind, n, d, kernel=3):
    if kind == "rnn":
        return {"flops": 4 * n * d * d, "sequential_steps": n, "path_length": n - 1}
    if kind == "cnn":
        return {"flops": 6 * n * d * d, "sequential_steps": 1, "path_length": n - 1}
    if kind == "attention":
        return {"flops": 4 * n * n * d, "sequential_steps": 1, "path_length": 1}
    raise ValueError(f"unknown kind {kind!r}")
