"""Right: goes up from 1 until attention costs no less than the RNN."""


def crossover_length(d):
    n = 1
    while 4 * n**2 * d < 4 * n * d**2:
        n += 1
    return n
