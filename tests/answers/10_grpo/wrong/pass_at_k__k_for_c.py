"""k in place of c.

mistake: k_for_c
fails: every number of right samples
"""


def pass_at_k(n: int, c: int, k: int) -> float:
    if k > n or c > n:
        raise ValueError(f"k = {k} and c = {c} may not exceed the {n} samples")
    return 1.0 - math.comb(n - k, k) / math.comb(n, k)
