"""A tie is a loss.

mistake: ties_lost
fails: many ties
"""


def win_rate(a, b):
    return float((a > b).double().mean())
