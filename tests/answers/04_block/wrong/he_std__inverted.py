"""Upside down.

mistake: inverted
fails: one width
"""


def he_std(fan_in):
    return math.sqrt(fan_in / 2)
