"""Loses a factor when dividing: d².

mistake: squared
fails: an odd width
"""


def crossover_length(d):
    return d**2
