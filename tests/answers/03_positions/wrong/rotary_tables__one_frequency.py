"""All pairs turn at the same speed.

mistake: one_frequency
fails: five positions
"""

def rotary_tables(n, d_head, base=10000.0):
    frequencies = torch.ones(d_head // 2)
    angles = torch.outer(torch.arange(n).float(), frequencies)
    angles = torch.cat((angles, angles), dim=-1)
    return angles.cos(), angles.sin()
