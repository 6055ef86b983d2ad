"""The last length at which attention is cheaper.

mistake: last_cheaper
fails: TODO
"""


def crossover_length(d):
    return d - 1
