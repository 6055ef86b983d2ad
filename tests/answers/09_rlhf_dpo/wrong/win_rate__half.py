"""Always one half.

mistake: unnamed
fails: many ties
"""


def win_rate(a, b):
    return 0.5
