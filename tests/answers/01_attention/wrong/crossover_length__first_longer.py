"""The first length at which attention costs more.

mistake: first_longer
fails: TODO
"""


def crossover_length(d):
    return d + 1
