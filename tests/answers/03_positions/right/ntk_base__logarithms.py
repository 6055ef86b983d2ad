"""Solved with logarithms.
"""

def ntk_base(base, d_head, factor):
    return math.exp(math.log(base) + d_head / (d_head - 2) * math.log(factor))
