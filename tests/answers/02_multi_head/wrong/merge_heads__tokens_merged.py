"""The sequence grows instead of the vectors.

mistake: tokens_merged
fails: two heads
"""

def merge_heads(x):
    b, h, n, d = x.shape
    return x.reshape(b, h * n, d)
