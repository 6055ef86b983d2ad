"""view after a transpose: works on no input with more than one head.

mistake: unnamed
fails: two heads
"""

def merge_heads(x):
    b, h, n, d = x.shape
    return x.transpose(1, 2).view(b, n, h * d)
