"""The first length at which attention costs more.

mistake: next_one
fails: TODO
"""


def crossover_length(d):
    return d + 1
