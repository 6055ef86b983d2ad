"""Right: the numbers of choices as floats, which still hold 1000 over 500."""


def pass_at_k(n: int, c: int, k: int) -> float:
    if k > n or c > n:
        raise ValueError("k and c may not exceed n")
    return 1.0 - float(math.comb(n - c, k)) / float(math.comb(n, k))
