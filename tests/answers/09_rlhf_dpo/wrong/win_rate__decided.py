"""Ties are left out.

mistake: ties_dropped
fails: many ties
"""


def win_rate(a, b):
    decided = a != b
    return float((a > b).sum() / decided.sum().clamp(min=1))
