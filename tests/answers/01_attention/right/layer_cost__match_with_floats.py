"""Right: match, and floats in the dict; whole ones, so equal to the integers."""


def layer_cost(kind, n, d, kernel=3):
    multiply_add = 2.0
    match kind:
        case "rnn":
            flops, steps, path = 2 * multiply_add * n * d * d, float(n), n - 1.0
        case "cnn":
            reach = (kernel - 1) / 2
            flops, steps, path = multiply_add * kernel * n * d * d, 1.0, float(math.ceil((n - 1) / reach))
        case "attention":
            flops, steps, path = multiply_add * n * n * d * 2, 1.0, 1.0
        case _:
            raise ValueError(kind)
    return {"path_length": path, "sequential_steps": steps, "flops": flops}
