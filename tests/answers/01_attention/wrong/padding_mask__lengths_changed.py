"""Counts the caller's lengths down in place.

mistake: unnamed
fails: lengths 3, 0, 4
"""


def padding_mask(lengths, n):
    columns = []
    for _ in range(n):
        columns.append(lengths > 0)
        lengths -= 1
    return torch.stack(columns, dim=-1)[:, None, None, :]
