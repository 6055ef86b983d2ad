"""A count.

mistake: count
fails: many ties
"""


def win_rate(a, b):
    wins = (a > b).double() + 0.5 * (a == b).double()
    return float(wins.sum())
