"""Keeps 4d.

mistake: four_d
fails: widths without a multiple
"""


def swiglu_hidden(d_model, multiple_of=1):
    width = 4 * d_model
    return math.ceil(width / multiple_of) * multiple_of
