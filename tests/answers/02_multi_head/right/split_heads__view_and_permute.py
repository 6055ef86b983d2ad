"""Cuts the last axis with view on a contiguous copy and permutes."""

def split_heads(x, num_heads):
    b, n, d = x.shape
    if d % num_heads != 0:
        raise ValueError(f"{d} is not divisible by {num_heads}")
    return x.contiguous().view(b, n, num_heads, d // num_heads).permute(0, 2, 1, 3)
