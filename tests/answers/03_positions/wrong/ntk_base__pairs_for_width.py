"""d/2 stands for d.

mistake: pairs_for_width
fails: twice the length
"""

def ntk_base(base, d_head, factor):
    return base * factor ** ((d_head // 2) / max(d_head // 2 - 2, 1))
