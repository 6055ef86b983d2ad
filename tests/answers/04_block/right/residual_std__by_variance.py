"""Right: divides the variance."""


def residual_std(base_std, num_layers):
    return (base_std**2 / (2 * num_layers)) ** 0.5
