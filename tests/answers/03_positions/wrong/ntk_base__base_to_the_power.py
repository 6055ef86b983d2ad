"""base·factor is raised.

mistake: base_to_the_power
fails: twice the length
"""

def ntk_base(base, d_head, factor):
    return (base * factor) ** (d_head / (d_head - 2))
