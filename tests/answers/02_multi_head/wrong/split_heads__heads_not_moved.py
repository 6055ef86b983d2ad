"""The width is cut, and the head axis is left behind the positions.

mistake: heads_not_moved
fails: two heads
"""

def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError(f"{x.shape[-1]} cannot be split into {num_heads}")
    b, n, d = x.shape
    return x.reshape(b, n, num_heads, d // num_heads)
