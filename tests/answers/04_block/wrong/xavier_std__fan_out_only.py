"""fan_out only.

mistake: fan_in_ignored
fails: different fans
"""


def xavier_std(fan_in, fan_out):
    return 1 / math.sqrt(fan_out)
