"""Compares the means.

mistake: means_compared
fails: many ties
"""


def win_rate(a, b):
    if a.mean() == b.mean():
        return 0.5
    return float(a.mean() > b.mean())
