"""All T decays.

mistake: product_of_everything
fails: six positions, three numbers in the state
"""


def ssd_matrix(a, b, c):
    n = len(a)
    rows = []
    for i in range(n):
        row = []
        for j in range(n):
            decay = torch.prod(a)
            row.append((c[i] * b[j]).sum() * decay if j <= i else torch.zeros((), dtype=a.dtype))
        rows.append(torch.stack(row))
    return torch.stack(rows)
