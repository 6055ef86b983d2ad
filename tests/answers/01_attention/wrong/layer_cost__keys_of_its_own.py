"""Right numbers under other names.

mistake: unnamed
fails: a recurrent layer
"""


def layer_cost(kind, n, d, kernel=3):
    if kind == "rnn":
        return {"flops": 4 * n * d * d, "steps": n, "path": n - 1}
    if kind == "cnn":
        return {"flops": 2 * kernel * n * d * d, "steps": 1, "path": math.ceil(2 * (n - 1) / (kernel - 1))}
    if kind == "attention":
        return {"flops": 4 * n * n * d, "steps": 1, "path": 1}
    raise ValueError(f"unknown kind {kind!r}")
