"""Nothing is turned.

mistake: unchanged
fails: queries of two heads
"""

def apply_rotary(x, cos, sin):
    return x
