"""Forgets ReLU.

mistake: without_relu
fails: one width
"""


def he_std(fan_in):
    return 1 / math.sqrt(fan_in)
