"""Pairs are (i, i + d/2), as in RoPE's half-split layout.

mistake: half_layout
fails: three steps
"""

def shift_matrix(offset, d, base=10000.0):
    shift = torch.zeros(d, d)
    for i in range(d // 2):
        angle = offset * base ** (-2 * i / d)
        cos, sin = math.cos(angle), math.sin(angle)
        rows = torch.tensor([i, i + d // 2])
        shift[rows[:, None], rows] = torch.tensor([[cos, sin], [-sin, cos]])
    return shift
