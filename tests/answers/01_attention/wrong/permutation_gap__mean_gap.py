"""The mean gap, in which one broken token drowns.

mistake: mean_gap
fails: a layer that knows the order
"""


def permutation_gap(attend, x, perm):
    return float((attend(x)[:, perm] - attend(x[:, perm])).abs().mean())
