"""unflatten and movedim, any number of leading axes; the division is checked by multiplying back."""

def split_heads(x, num_heads):
    width = x.size(-1) // num_heads
    if width * num_heads != x.size(-1):
        raise ValueError("cannot split %d entries into %d heads" % (x.size(-1), num_heads))
    return x.unflatten(-1, (num_heads, width)).movedim(-2, -3)
