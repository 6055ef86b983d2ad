"""The 2 outside the root.

mistake: two_outside_the_root
fails: one width
"""


def he_std(fan_in):
    return 2 / math.sqrt(fan_in)
