"""Ignores the multiple.

mistake: multiple_ignored
fails: widths in steps
"""


def swiglu_hidden(d_model, multiple_of=1):
    width = math.ceil(8 * d_model / 3)
    return width
