"""The variance.

mistake: variance
fails: one width
"""


def he_std(fan_in):
    return 2 / fan_in
