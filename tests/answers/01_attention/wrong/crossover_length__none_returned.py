"""Prints the length and returns nothing.

mistake: unnamed
fails: an odd width
"""


def crossover_length(d):
    print(d)
