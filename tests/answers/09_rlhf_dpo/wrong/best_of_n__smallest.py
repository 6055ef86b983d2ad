"""The worst.

mistake: worst
fails: three axes
"""


def best_of_n(scores):
    return scores.argmin(-1)
