"""The width as a fraction.

mistake: not_rounded
fails: widths
"""


def swiglu_hidden(d_model, multiple_of=1):
    return 8 * d_model / 3
