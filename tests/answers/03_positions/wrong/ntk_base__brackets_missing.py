"""d/d − 2 for d/(d − 2).

mistake: brackets_missing
fails: twice the length
"""

def ntk_base(base, d_head, factor):
    return base * factor ** (d_head / d_head - 2)
