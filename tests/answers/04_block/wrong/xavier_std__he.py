"""He's formula.

mistake: he
fails: a square layer
"""


def xavier_std(fan_in, fan_out):
    return math.sqrt(2 / fan_in)
