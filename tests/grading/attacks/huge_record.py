"""A record of a hundred megabytes.

cell: noise
"""

def noise(n, seed):
    return torch.zeros(13_000_000)
