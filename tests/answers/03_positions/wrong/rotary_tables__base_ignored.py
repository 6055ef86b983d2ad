"""10000 is written into the formula.

mistake: base_ignored
fails: another base
"""

def rotary_tables(n, d_head, base=10000.0):
    frequencies = 1.0 / 10000.0 ** (torch.arange(0, d_head, 2) / d_head)
    angles = torch.outer(torch.arange(n).float(), frequencies)
    angles = torch.cat((angles, angles), dim=-1)
    return angles.cos(), angles.sin()
