"""A sign, but no swap.

mistake: minus_not_swapped
fails: queries of two heads
"""

def apply_rotary(x, cos, sin):
    a, b = x.chunk(2, dim=-1)
    turned = torch.cat((-a, b), dim=-1)
    return x * cos + turned * sin
