"""Shuffles the input only, as if attention were invariant and not equivariant.

mistake: only_the_input_permuted
fails: a layer that knows the order
"""


def permutation_gap(attend, x, perm):
    return float((attend(x) - attend(x[:, perm])).abs().max())
