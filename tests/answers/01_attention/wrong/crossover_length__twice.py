"""Counts only QKᵀ for attention, and so finds 2d.

mistake: twice
fails: an odd width
"""


def crossover_length(d):
    return 4 * d * d // (2 * d)
