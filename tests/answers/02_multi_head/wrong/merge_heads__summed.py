"""Heads are added up instead of put side by side.

mistake: summed
fails: two heads
"""

def merge_heads(x):
    b, h, n, d = x.shape
    return x.sum(1)
