"""Right: a power in place of a root."""


def residual_std(base_std, num_layers):
    return base_std * (2 * num_layers) ** -0.5
