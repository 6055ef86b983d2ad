"""Solves n² = d.

mistake: root
fails: an odd width
"""


def crossover_length(d):
    return round(math.sqrt(d))
