"""A sum of b.

mistake: running_sum
fails: eight positions
"""


def associative_scan(a, b):
    return torch.cumsum(b, dim=1)
