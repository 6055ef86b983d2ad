"""The norm of the whole difference: grows with the length of the text.

mistake: norm_of_gap
fails: a layer that knows the order
"""


def permutation_gap(attend, x, perm):
    return float((attend(x)[:, perm] - attend(x[:, perm])).norm())
