"""Rounds to the nearest multiple.

mistake: multiple_rounded_to_nearest
fails: widths in steps
"""


def swiglu_hidden(d_model, multiple_of=1):
    width = math.ceil(8 * d_model / 3)
    return round(width / multiple_of) * multiple_of
