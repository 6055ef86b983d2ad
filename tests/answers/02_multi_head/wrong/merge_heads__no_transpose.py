"""A reshape to the wanted shape is taken for the inverse.

mistake: no_transpose
fails: two heads
"""

def merge_heads(x):
    b, h, n, d = x.shape
    return x.reshape(b, n, h * d)
