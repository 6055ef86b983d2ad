"""The tables are half as wide as x.

mistake: half_width
fails: five positions
"""

def rotary_tables(n, d_head, base=10000.0):
    frequencies = 1.0 / base ** (torch.arange(0, d_head, 2) / d_head)
    angles = torch.outer(torch.arange(n).float(), frequencies)
    return angles.cos(), angles.sin()
