"""The offset is multiplied by base^(2i/d).

mistake: frequencies_inverted
fails: three steps
"""

def shift_matrix(offset, d, base=10000.0):
    shift = torch.zeros(d, d)
    for i in range(d // 2):
        angle = offset * base ** (2 * i / d)
        cos, sin = math.cos(angle), math.sin(angle)
        rows = slice(2 * i, 2 * i + 2)
        shift[rows, rows] = torch.tensor([[cos, sin], [-sin, cos]])
    return shift
