"""The base grows by the factor.

mistake: times_factor
fails: twice the length
"""

def ntk_base(base, d_head, factor):
    return base * factor
