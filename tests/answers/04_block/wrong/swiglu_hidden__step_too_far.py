"""A step more where none is needed, both without and with a multiple.

mistake: a_multiple_too_far
fails: widths without a multiple
"""


def swiglu_hidden(d_model, multiple_of=1):
    width = -(-8 * d_model // 3)
    steps = -(-width // multiple_of) + 1
    return steps * multiple_of
