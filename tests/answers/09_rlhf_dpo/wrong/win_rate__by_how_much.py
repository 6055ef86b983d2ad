"""The mean difference.

mistake: mean_difference
fails: many ties
"""


def win_rate(a, b):
    return float((a - b).mean())
