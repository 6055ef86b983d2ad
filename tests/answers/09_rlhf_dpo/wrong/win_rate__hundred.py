"""Per cent.

mistake: per_cent
fails: many ties
"""


def win_rate(a, b):
    wins = (a > b).double() + 0.5 * (a == b).double()
    return 100 * float(wins.mean())
