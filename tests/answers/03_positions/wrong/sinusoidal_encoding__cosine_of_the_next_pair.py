"""The cosine has the next pair's frequency.

mistake: cosine_of_the_next_pair
fails: four positions
"""

import torch
def sinusoidal_encoding(n, d, base=10000.0):
    pos = torch.arange(n, dtype=torch.float64)[:, None]
    freq = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    out = torch.empty(n, d, dtype=torch.float64)
    out[:, 0::2] = torch.sin(pos * freq)
    out[:, 1::2] = torch.cos(pos * base ** (-torch.arange(2, d + 2, 2, dtype=torch.float64) / d))
    return out.to(torch.get_default_dtype())
