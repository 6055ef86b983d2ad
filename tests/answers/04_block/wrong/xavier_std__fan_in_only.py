"""LeCun: fan_in only.

mistake: fan_out_ignored
fails: different fans
"""


def xavier_std(fan_in, fan_out):
    return 1 / math.sqrt(fan_in)
