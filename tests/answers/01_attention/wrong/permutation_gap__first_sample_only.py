"""Looks at the first sample of the batch only.

mistake: first_sample_only
fails: a layer that knows the order
"""


def permutation_gap(attend, x, perm):
    return float((attend(x)[0, perm] - attend(x[:, perm])[0]).abs().max())
