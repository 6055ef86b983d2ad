"""Returns a tensor of one element.
"""

def ntk_base(base, d_head, factor):
    return torch.tensor(base, dtype=torch.float64) * torch.tensor(factor, dtype=torch.float64) ** (d_head / (d_head - 2))
