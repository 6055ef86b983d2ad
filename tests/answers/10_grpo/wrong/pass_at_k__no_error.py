"""No ValueError.

mistake: no_error
fails: too many asked for
"""


def pass_at_k(n: int, c: int, k: int) -> float:

    if n - c < k or k > n:
        return 1.0
    return 1.0 - math.comb(n - c, k) / math.comb(n, k)
