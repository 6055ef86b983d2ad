"""Right: fractions."""


def pass_at_k(n: int, c: int, k: int) -> float:

    from fractions import Fraction

    if not (c <= n and k <= n):
        raise ValueError((n, c, k))
    return float(1 - Fraction(math.comb(n - c, k), math.comb(n, k)))
