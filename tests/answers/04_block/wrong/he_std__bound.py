"""The bound of the uniform version.

mistake: uniform_bound
fails: one width
"""


def he_std(fan_in):
    return math.sqrt(6 / fan_in)
