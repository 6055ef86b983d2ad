"""Right: the weights of one row are those of the row before, times its decay, and a 1."""


def ssd_matrix(a, b, c):
    T, rows = len(a), []
    weights = a.new_zeros(0)
    for i in range(T):
        weights = torch.cat([weights * a[i], a.new_ones(1)])
        rows.append(F.pad(weights * (b[: i + 1] @ c[i]), (0, T - i - 1)))
    return torch.stack(rows)
