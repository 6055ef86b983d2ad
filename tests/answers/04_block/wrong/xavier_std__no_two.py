"""Forgets the 2.

mistake: no_two
fails: a square layer
"""


def xavier_std(fan_in, fan_out):
    return 1 / math.sqrt(fan_in + fan_out)
