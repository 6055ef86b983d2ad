"""Plain Python loops over positions and pairs.
"""

def sinusoidal_encoding(n, d, base=10000.0):
    rows = []
    for p in range(n):
        row = []
        for i in range(d // 2):
            angle = p / base ** (2 * i / d)
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row)
    return torch.tensor(rows)
