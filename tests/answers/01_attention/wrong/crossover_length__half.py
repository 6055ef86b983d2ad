"""Counts only one matrix of the RNN, and so finds d/2.

mistake: half
fails: an odd width
"""


def crossover_length(d):
    return 2 * d * d // (4 * d)
