"""Prints the length and returns nothing.

mistake: unnamed
fails: TODO
"""


def crossover_length(d):
    print(d)
