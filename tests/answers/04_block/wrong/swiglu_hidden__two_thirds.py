"""Two thirds of d.

mistake: two_thirds_of_d
fails: widths without a multiple
"""


def swiglu_hidden(d_model, multiple_of=1):
    width = math.ceil(2 * d_model / 3)
    return math.ceil(width / multiple_of) * multiple_of
