"""Shuffles the input forth and the output back.

mistake: inverse_on_one_side
fails: a layer that knows the order
"""


def permutation_gap(attend, x, perm):
    inverse = torch.argsort(perm)
    return float((attend(x)[:, inverse] - attend(x[:, perm])).abs().max())
