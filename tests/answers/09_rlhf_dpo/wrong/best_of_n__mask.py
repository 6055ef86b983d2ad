"""A mark per sample.

mistake: marked
fails: three axes
"""


def best_of_n(scores):
    return scores == scores.max(-1, keepdim=True).values
