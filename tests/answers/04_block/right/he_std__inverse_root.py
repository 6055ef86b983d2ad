"""Right: one over a root."""


def he_std(fan_in):
    return (fan_in / 2) ** -0.5
