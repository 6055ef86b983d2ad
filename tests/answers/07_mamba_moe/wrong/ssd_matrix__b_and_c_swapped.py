"""b reads, c writes.

mistake: b_and_c_swapped
fails: six positions, three numbers in the state
"""


def ssd_matrix(a, b, c):
    n = len(a)
    rows = []
    for i in range(n):
        row = []
        for j in range(n):
            decay = torch.prod(a[j + 1 : i + 1])
            row.append((b[i] * c[j]).sum() * decay if j <= i else torch.zeros((), dtype=a.dtype))
        rows.append(torch.stack(row))
    return torch.stack(rows)
