"""Counts only QKᵀ for attention, and so finds 2d.

mistake: twice
fails: TODO
"""


def crossover_length(d):
    return 4 * d * d // (2 * d)
