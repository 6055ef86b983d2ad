"""Right: bisection on the difference of the two costs, which changes its sign once."""


def crossover_length(d):
    low, high = 1, 4 * d
    while low < high:
        middle = (low + high) // 2
        if 4 * middle * middle * d >= 4 * middle * d * d:
            high = middle
        else:
            low = middle + 1
    return low
