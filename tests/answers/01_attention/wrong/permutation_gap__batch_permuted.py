"""Shuffles the samples of the batch.

mistake: batch_permuted
fails: as many features and samples as positions
"""


def permutation_gap(attend, x, perm):
    return float((attend(x)[perm] - attend(x[perm])).abs().max())
