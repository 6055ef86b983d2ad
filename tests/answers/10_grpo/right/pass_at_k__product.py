"""Right: the product of the paper's own code."""


def pass_at_k(n: int, c: int, k: int) -> float:

    if c > n or k > n:
        raise ValueError(f"n = {n}, c = {c}, k = {k}")
    if n - c < k:
        return 1.0
    none = 1.0
    for i in range(n - c + 1, n + 1):
        none *= 1 - k / i
    return 1 - none
