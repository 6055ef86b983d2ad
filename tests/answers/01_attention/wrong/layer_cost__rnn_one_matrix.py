"""Counts one of the RNN's two matrices: the hidden state's, not the input's.

mistake: rnn_half
fails: a recurrent layer
"""


def layer_cost(kind, n, d, kernel=3):
    if kind == "rnn":
        return {"flops": 2 * n * d * d, "sequential_steps": n, "path_length": n - 1}
    if kind == "cnn":
        path = math.ceil(2 * (n - 1) / (kernel - 1))
        return {"flops": 2 * kernel * n * d * d, "sequential_steps": 1, "path_length": path}
    if kind == "attention":
        return {"flops": 4 * n * n * d, "sequential_steps": 1, "path_length": 1}
    raise ValueError(f"unknown kind {kind!r}")
