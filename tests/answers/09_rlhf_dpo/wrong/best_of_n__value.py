"""The score.

mistake: score
fails: three axes
"""


def best_of_n(scores):
    return scores.max(-1).values
