"""c > n is not refused.

mistake: unnamed
fails: too many asked for
"""


def pass_at_k(n: int, c: int, k: int) -> float:
    if k > n:
        raise ValueError(f"k = {k} and c = {c} may not exceed the {n} samples")
    return 1.0 - math.comb(max(n - c, 0), k) / math.comb(n, k)
