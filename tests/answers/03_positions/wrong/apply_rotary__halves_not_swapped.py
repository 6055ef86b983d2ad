"""The sine multiplies x itself.

mistake: halves_not_swapped
fails: queries of two heads
"""

def apply_rotary(x, cos, sin):
    a, b = x.chunk(2, dim=-1)
    turned = x
    return x * cos + turned * sin
