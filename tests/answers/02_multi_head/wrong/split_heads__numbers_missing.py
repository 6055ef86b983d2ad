"""The error says that something is wrong, not what.

mistake: numbers_missing
fails: a width that does not divide is refused, one that does is not
"""

def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)
