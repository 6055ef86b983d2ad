"""A tie is a win.

mistake: ties_won
fails: many ties
"""


def win_rate(a, b):
    return float((a >= b).double().mean())
