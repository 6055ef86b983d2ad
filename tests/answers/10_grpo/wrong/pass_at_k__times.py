"""k times c / n.

mistake: times_k
fails: every number of right samples
"""


def pass_at_k(n: int, c: int, k: int) -> float:
    if k > n or c > n:
        raise ValueError(f"k = {k} and c = {c} may not exceed the {n} samples")
    return min(1.0, k * c / n)
