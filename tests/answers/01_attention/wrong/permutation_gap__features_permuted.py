"""Shuffles the last axis: features, not tokens.

mistake: features_permuted
fails: as many features and samples as positions
"""


def permutation_gap(attend, x, perm):
    return float((attend(x)[:, :, perm] - attend(x[:, :, perm])).abs().max())
