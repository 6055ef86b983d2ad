"""The largest difference without its absolute value.

mistake: sign_kept
fails: negative differences count
"""


def permutation_gap(attend, x, perm):
    return float((attend(x)[:, perm] - attend(x[:, perm])).max())
