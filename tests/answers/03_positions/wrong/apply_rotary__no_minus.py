"""The halves are swapped without a sign.

mistake: no_minus
fails: queries of two heads
"""

def apply_rotary(x, cos, sin):
    a, b = x.chunk(2, dim=-1)
    turned = torch.cat((b, a), dim=-1)
    return x * cos + turned * sin
