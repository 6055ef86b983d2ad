"""All k are right.

mistake: all_right
fails: every number of right samples
"""


def pass_at_k(n: int, c: int, k: int) -> float:
    if k > n or c > n:
        raise ValueError(f"k = {k} and c = {c} may not exceed the {n} samples")
    return math.comb(c, k) / math.comb(n, k)
