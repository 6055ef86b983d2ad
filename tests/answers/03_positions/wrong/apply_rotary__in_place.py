"""It works in place on its input.

mistake: unnamed
fails: queries of two heads
"""

def apply_rotary(x, cos, sin):
    a, b = x.chunk(2, dim=-1)
    turned = torch.cat((-b, a), dim=-1)
    x *= cos
    x += turned * sin
    return x
