"""The last of ties.

mistake: last_of_ties
fails: ties
"""


def best_of_n(scores):
    return scores.shape[-1] - 1 - scores.flip(-1).argmax(-1)
