"""The formula alone: 0 by 0 for k > n.

mistake: divides_by_zero
fails: too many asked for
"""


def pass_at_k(n: int, c: int, k: int) -> float:
    return 1.0 - math.comb(n - c, k) / math.comb(n, k)
