"""The tables line up with the head axis.

mistake: turned_by_head
fails: as many heads as positions
"""

def apply_rotary(x, cos, sin):
    a, b = x.chunk(2, dim=-1)
    turned = torch.cat((-b, a), dim=-1)
    if x.ndim > 2:
        heads = x.shape[-3]
        cos, sin = cos[:heads, None], sin[:heads, None]
    return x * cos + turned * sin
