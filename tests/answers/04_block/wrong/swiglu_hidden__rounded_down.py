"""int() rounds down, as in LLaMA's own code.

mistake: rounded_down
fails: widths without a multiple
"""


def swiglu_hidden(d_model, multiple_of=1):
    width = int(8 * d_model / 3)
    return math.ceil(width / multiple_of) * multiple_of
