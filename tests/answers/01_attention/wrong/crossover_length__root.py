"""Solves n² = d.

mistake: root
fails: TODO
"""


def crossover_length(d):
    return round(math.sqrt(d))
