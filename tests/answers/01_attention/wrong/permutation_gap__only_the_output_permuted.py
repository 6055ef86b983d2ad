"""Shuffles the output only.

mistake: only_the_output_permuted
fails: TODO
"""


def permutation_gap(attend, x, perm):
    y = attend(x)
    return float((y[:, perm] - y).abs().max())
