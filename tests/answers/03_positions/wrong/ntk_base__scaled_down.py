"""The base shrinks.

mistake: scaled_down
fails: twice the length
"""

def ntk_base(base, d_head, factor):
    return base / factor ** (d_head / (d_head - 2))
