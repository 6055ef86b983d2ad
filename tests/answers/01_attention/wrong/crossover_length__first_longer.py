"""The first length at which attention costs more.

mistake: first_longer
fails: an odd width
"""


def crossover_length(d):
    return d + 1
