"""d/(d − 1).

mistake: one_less
fails: twice the length
"""

def ntk_base(base, d_head, factor):
    return base * factor ** (d_head / (d_head - 1))
