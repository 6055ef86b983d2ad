"""Heads are averaged instead of put side by side.

mistake: averaged
fails: two heads
"""

def merge_heads(x):
    b, h, n, d = x.shape
    return x.mean(1)
