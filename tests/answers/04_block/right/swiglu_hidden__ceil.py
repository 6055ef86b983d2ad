"""Right: math.ceil of exact fractions."""


def swiglu_hidden(d_model, multiple_of=1):
    from fractions import Fraction

    width = math.ceil(Fraction(8 * d_model, 3))
    return math.ceil(Fraction(width, multiple_of)) * multiple_of
