"""The wins of b.

mistake: other_side
fails: many ties
"""


def win_rate(a, b):
    return float(((b > a).double() + 0.5 * (a == b).double()).mean())
