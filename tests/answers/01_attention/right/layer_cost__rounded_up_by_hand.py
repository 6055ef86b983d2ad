"""Right: rounds up by adding one less than the divisor; raises first; torch not needed."""


def layer_cost(kind, n, d, kernel=3):
    if not isinstance(kind, str) or kind not in ("rnn", "cnn", "attention"):
        raise ValueError("kind must be 'rnn', 'cnn' or 'attention', got " + repr(kind))
    cost = dict(sequential_steps=1, path_length=1)
    cost["flops"] = 4 * n * d * (n if kind == "attention" else d)
    if kind == "rnn":
        cost.update(sequential_steps=n, path_length=n - 1)
    elif kind == "cnn":
        half = (kernel - 1) // 2
        cost.update(flops=cost["flops"] * kernel // 2, path_length=(n - 1 + half - 1) // half)
    return cost
