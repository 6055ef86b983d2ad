"""Rounds down to the multiple.

mistake: multiple_rounded_down
fails: widths in steps
"""


def swiglu_hidden(d_model, multiple_of=1):
    width = math.ceil(8 * d_model / 3)
    return width // multiple_of * multiple_of
