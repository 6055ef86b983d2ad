"""Right: logarithms of factorials."""


def pass_at_k(n: int, c: int, k: int) -> float:

    if max(c, k) > n:
        raise ValueError("more than there are samples")
    if n - c < k:
        return 1.0
    log = math.lgamma
    return -math.expm1(log(n - c + 1) + log(n - k + 1) - log(n - c - k + 1) - log(n + 1)) if c else 0.0
