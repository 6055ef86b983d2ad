"""Wants to undo the shuffle of the second output, and shuffles it once more.

mistake: inverse_on_one_side
fails: a layer that knows the order
"""


def permutation_gap(attend, x, perm):
    return float((attend(x) - attend(x[:, perm])[:, perm]).abs().max())
