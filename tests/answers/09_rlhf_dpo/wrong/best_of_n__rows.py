"""Right for one and two axes alone.

mistake: last_axis_but_one
fails: three axes
"""


def best_of_n(scores):
    return scores.argmax(-2) if scores.dim() > 2 else scores.argmax(-1)
