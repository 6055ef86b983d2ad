"""Blocks of √T: fewer operations than a loop, but not logarithmically many.

mistake: loop
fails: the right values, with operations that grow like a logarithm
"""


def associative_scan(a, b):
    length = a.shape[1]
    size = max(1, math.isqrt(length))
    parts, carry = [], torch.zeros_like(b[:, 0])
    for start in range(0, length, size):
        h = carry
        for t in range(start, min(length, start + size)):
            h = a[:, t] * h + b[:, t]
            parts.append(h)
        carry = h
    return torch.stack(parts, dim=1)
