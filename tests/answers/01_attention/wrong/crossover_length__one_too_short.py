"""The last length at which attention is cheaper.

mistake: one_too_short
fails: TODO
"""


def crossover_length(d):
    return d - 1
