"""The exponent is d.

mistake: exponent_d
fails: a small head
"""

def ntk_base(base, d_head, factor):
    return base * factor**d_head
