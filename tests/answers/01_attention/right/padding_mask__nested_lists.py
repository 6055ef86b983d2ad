"""Right: lists of Python booleans, one tensor in the end."""


def padding_mask(lengths, n):
    rows = [[[[i < int(length) for i in range(n)]]] for length in lengths]
    return torch.tensor(rows, dtype=torch.bool)
