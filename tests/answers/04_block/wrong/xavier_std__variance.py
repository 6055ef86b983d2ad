"""The variance.

mistake: variance
fails: a square layer
"""


def xavier_std(fan_in, fan_out):
    return 2 / (fan_in + fan_out)
