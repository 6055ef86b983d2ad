"""The geometric mean.

mistake: geometric_mean
fails: different fans
"""


def xavier_std(fan_in, fan_out):
    return 1 / math.sqrt(math.sqrt(fan_in * fan_out))
