"""Values that are too deep, too long or no numbers.

cell: late
"""

def mix(q, k, v):
    value = []
    for _ in range(500):
        value = [value]
    return value

def count_ones(mask):
    return 10 ** 100_000

def noise(n, seed):
    return torch.full((n,), float("nan"))
