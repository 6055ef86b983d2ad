"""Right: one over the root of the mean fan."""


def xavier_std(fan_in, fan_out):
    return ((fan_in + fan_out) / 2) ** -0.5
