"""Factorials as floats.

mistake: overflow
fails: a thousand samples
"""


def pass_at_k(n: int, c: int, k: int) -> float:
    if k > n or c > n:
        raise ValueError(f"k = {k} and c = {c} may not exceed the {n} samples")
    if n - c < k:
        return 1.0
    f = [1.0]
    for i in range(1, n + 1):
        f.append(f[-1] * i)
    return 1.0 - (f[n - c] * f[n - k]) / (f[n - c - k] * f[n])
