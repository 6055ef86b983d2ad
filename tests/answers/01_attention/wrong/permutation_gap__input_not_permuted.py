"""Shuffles the output only.

mistake: input_not_permuted
fails: TODO
"""


def permutation_gap(attend, x, perm):
    y = attend(x)
    return float((y[:, perm] - y).abs().max())
