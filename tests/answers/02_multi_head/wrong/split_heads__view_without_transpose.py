"""One reshape to the wanted shape is taken for a split of the width.

mistake: view_without_transpose
fails: two heads
"""

def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError(f"{x.shape[-1]} cannot be split into {num_heads}")
    b, n, d = x.shape
    return x.reshape(b, num_heads, n, d // num_heads)
