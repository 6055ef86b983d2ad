"""The classical transpose, contiguous, view."""

def merge_heads(x):
    b, h, n, d = x.size()
    return x.transpose(1, 2).contiguous().view(b, n, h * d)
