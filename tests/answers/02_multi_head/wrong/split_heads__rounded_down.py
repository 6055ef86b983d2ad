"""Integer division hides that the width does not divide.

mistake: rounded_down
fails: a width that does not divide is refused, one that does is not
"""

def split_heads(x, num_heads):
    b, n, d = x.shape
    w = d // num_heads
    return x[..., : w * num_heads].reshape(b, n, num_heads, w).transpose(1, 2)
