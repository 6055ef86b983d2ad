"""torch's own RuntimeError is left to speak.

mistake: no_check
fails: a width that does not divide is refused, one that does is not
"""

def split_heads(x, num_heads):
    b, n, d = x.shape
    return x.reshape(b, n, num_heads, d // num_heads).transpose(1, 2)
