"""Re[…] alone: each entry is scaled by a cosine.

mistake: real_part_only
fails: three steps
"""

def shift_matrix(offset, d, base=10000.0):
    shift = torch.zeros(d, d)
    for i in range(d // 2):
        angle = offset * base ** (-2 * i / d)
        cos, sin = math.cos(angle), math.sin(angle)
        rows = slice(2 * i, 2 * i + 2)
        shift[rows, rows] = torch.tensor([[cos, 0.0], [0.0, cos]])
    return shift
