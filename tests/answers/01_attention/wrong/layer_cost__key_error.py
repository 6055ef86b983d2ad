"""Looks the kind up in a dict: an unknown one is a KeyError, where ValueError was asked for.

mistake: unnamed
fails: another kind is a ValueError, a known one is not
"""


def layer_cost(kind, n, d, kernel=3):
    path = math.ceil(2 * (n - 1) / (kernel - 1))
    return {
        "rnn": {"flops": 4 * n * d * d, "sequential_steps": n, "path_length": n - 1},
        "cnn": {"flops": 2 * kernel * n * d * d, "sequential_steps": 1, "path_length": path},
        "attention": {"flops": 4 * n * n * d, "sequential_steps": 1, "path_length": 1},
    }[kind]
