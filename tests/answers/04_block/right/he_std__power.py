"""Right: a power in place of a root."""


def he_std(fan_in):
    return (2 / fan_in) ** 0.5
