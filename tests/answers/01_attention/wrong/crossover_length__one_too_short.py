"""The last length at which attention is cheaper.

mistake: one_too_short
fails: a large width
"""


def crossover_length(d):
    return d - 1
