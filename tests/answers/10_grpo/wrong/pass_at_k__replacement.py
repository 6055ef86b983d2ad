"""Draws with replacement.

mistake: with_replacement
fails: every number of right samples
"""


def pass_at_k(n: int, c: int, k: int) -> float:
    if k > n or c > n:
        raise ValueError(f"k = {k} and c = {c} may not exceed the {n} samples")
    return 1.0 - (1 - c / n) ** k
