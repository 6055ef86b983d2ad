"""Number of heads and width of a head are confused.

mistake: sizes_swapped
fails: two heads
"""

def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError(f"{x.shape[-1]} cannot be split into {num_heads}")
    b, n, d = x.shape
    return x.reshape(b, n, d // num_heads, num_heads).transpose(1, 2)
