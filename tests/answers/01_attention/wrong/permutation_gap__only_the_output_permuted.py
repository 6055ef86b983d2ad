"""Shuffles the output only.

mistake: only_the_output_permuted
fails: a layer blind to order, and one that is not
"""


def permutation_gap(attend, x, perm):
    y = attend(x)
    return float((y[:, perm] - y).abs().max())
