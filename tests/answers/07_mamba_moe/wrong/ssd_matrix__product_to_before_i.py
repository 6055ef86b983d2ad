"""The product ends before i.

mistake: product_to_before_i
fails: six positions, three numbers in the state
"""


def ssd_matrix(a, b, c):
    n = len(a)
    rows = []
    for i in range(n):
        row = []
        for j in range(n):
            decay = torch.prod(a[j + 1 : i])
            row.append((c[i] * b[j]).sum() * decay if j <= i else torch.zeros((), dtype=a.dtype))
        rows.append(torch.stack(row))
    return torch.stack(rows)
