"""Every column has its own angle.

mistake: own_angle_per_column
fails: five positions
"""

def rotary_tables(n, d_head, base=10000.0):
    frequencies = 1.0 / base ** (torch.arange(d_head) / d_head)
    angles = torch.outer(torch.arange(n).float(), frequencies)
    return angles.cos(), angles.sin()
