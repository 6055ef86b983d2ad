"""The exponent is upside down.

mistake: exponent_inverted
fails: twice the length
"""

def ntk_base(base, d_head, factor):
    return base * factor ** ((d_head - 2) / d_head)
