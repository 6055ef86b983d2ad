"""Written with the number of pairs.
"""

def ntk_base(base: float, d_head: int, factor: float) -> float:
    pairs = d_head / 2
    return base * pow(factor, pairs / (pairs - 1))
