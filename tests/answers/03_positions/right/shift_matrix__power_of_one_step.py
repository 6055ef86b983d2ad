"""The matrix of one step to the power of the offset, in double precision.
"""

def shift_matrix(offset, d, base=10000.0):
    one = torch.zeros(d, d, dtype=torch.float64)
    for i in range(d // 2):
        w = base ** (-2 * i / d)
        one[2 * i, 2 * i] = one[2 * i + 1, 2 * i + 1] = math.cos(w)
        one[2 * i, 2 * i + 1], one[2 * i + 1, 2 * i] = math.sin(w), -math.sin(w)
    return torch.linalg.matrix_power(one, offset).float()
