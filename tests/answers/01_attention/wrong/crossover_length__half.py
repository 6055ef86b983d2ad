"""Counts only one matrix of the RNN, and so finds d/2.

mistake: half
fails: TODO
"""


def crossover_length(d):
    return 2 * d * d // (4 * d)
