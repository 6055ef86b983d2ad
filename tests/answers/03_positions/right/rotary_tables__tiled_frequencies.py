"""Frequencies are doubled first, then multiplied by positions.
"""

def rotary_tables(n: int, d_head: int, base: float = 10000.0):
    inv_freq = 1.0 / (base ** (torch.arange(0, d_head, 2).float() / d_head))
    angles = torch.arange(n)[:, None] * torch.tile(inv_freq, (2,))
    return [angles.cos(), angles.sin()]
