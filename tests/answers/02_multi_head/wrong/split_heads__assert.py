"""An assert in place of the ValueError.

mistake: assert
fails: a width that does not divide is refused, one that does is not
"""

def split_heads(x, num_heads):
    assert x.shape[-1] % num_heads == 0, f"{x.shape[-1]} {num_heads}"
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)
