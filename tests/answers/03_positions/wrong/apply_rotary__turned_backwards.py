"""The turn goes the other way.

mistake: turned_backwards
fails: queries of two heads
"""

def apply_rotary(x, cos, sin):
    a, b = x.chunk(2, dim=-1)
    turned = torch.cat((-b, a), dim=-1)
    return x * cos - turned * sin
