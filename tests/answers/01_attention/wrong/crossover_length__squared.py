"""Loses a factor when dividing: d².

mistake: squared
fails: TODO
"""


def crossover_length(d):
    return d**2
