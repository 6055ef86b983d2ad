"""The bound of the uniform version.

mistake: uniform_bound
fails: a square layer
"""


def xavier_std(fan_in, fan_out):
    return math.sqrt(6 / (fan_in + fan_out))
