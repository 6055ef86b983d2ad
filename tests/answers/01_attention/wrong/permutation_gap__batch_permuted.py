"""Shuffles the samples of the batch.

mistake: batch_permuted
fails: TODO
"""


def permutation_gap(attend, x, perm):
    return float((attend(x)[perm] - attend(x[perm])).abs().max())
