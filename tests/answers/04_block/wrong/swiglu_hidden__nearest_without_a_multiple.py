"""Rounded to the nearest multiple.

mistake: rounded_to_nearest
fails: widths without a multiple
"""

def swiglu_hidden(d_model, multiple_of=1):
    return round(8 * d_model / 3 / multiple_of) * multiple_of
