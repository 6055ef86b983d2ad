"""Three diagonals are written at once.
"""

def shift_matrix(offset: int, d: int, base: float = 10000.0) -> Tensor:
    angle = offset / base ** (torch.arange(0, d, 2) / d)
    off = torch.zeros(d - 1)
    off[0::2] = angle.sin()
    return torch.diag(angle.cos().repeat_interleave(2)) + torch.diag(off, 1) - torch.diag(off, -1)
