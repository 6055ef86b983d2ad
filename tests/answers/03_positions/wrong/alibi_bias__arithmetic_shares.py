"""Slopes (h + 1)/H.

mistake: arithmetic_shares
fails: four heads
"""

import torch
def _s(num_heads):
    c = 1 << (num_heads.bit_length() - 1)
    first = 2.0 ** (-8.0 * torch.arange(1, c + 1, dtype=torch.float64) / c)
    rest = 2.0 ** (-4.0 * (2 * torch.arange(num_heads - c, dtype=torch.float64) + 1) / c)
    return torch.cat([first, rest]).to(torch.get_default_dtype())

def alibi_bias(num_heads, n):
    i = torch.arange(n)
    dist = i[:, None] - i
    return (-(torch.arange(1, num_heads + 1) / num_heads)[:, None, None] * dist).masked_fill(dist < 0, float("-inf"))
