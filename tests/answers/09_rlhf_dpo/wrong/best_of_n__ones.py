"""Counts from one.

mistake: unnamed
fails: three axes
"""


def best_of_n(scores):
    return scores.argmax(-1) + 1
