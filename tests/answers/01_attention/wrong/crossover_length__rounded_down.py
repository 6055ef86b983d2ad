"""Divides first and multiplies afterwards: the remainder is lost on the way.

mistake: rounded_down
fails: an odd width
"""


def crossover_length(d):
    return d // 4 * 4
