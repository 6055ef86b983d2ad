"""Along the first axis.

mistake: first_axis
fails: three axes
"""


def best_of_n(scores):
    return scores.argmax(0)
