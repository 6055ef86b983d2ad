"""No cosine and sine are taken.

mistake: angles_returned
fails: five positions
"""

def rotary_tables(n, d_head, base=10000.0):
    frequencies = 1.0 / base ** (torch.arange(0, d_head, 2) / d_head)
    angles = torch.outer(torch.arange(n).float(), frequencies)
    angles = torch.cat((angles, angles), dim=-1)
    return angles, angles
