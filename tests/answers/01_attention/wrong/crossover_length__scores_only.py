"""Counts only QKᵀ for attention, and so finds 2d.

mistake: scores_only
fails: TODO
"""


def crossover_length(d):
    return 4 * d * d // (2 * d)
