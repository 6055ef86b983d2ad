"""Draws a permutation of its own and ignores the one given.

mistake: unnamed
fails: a layer that knows the order
"""


def permutation_gap(attend, x, perm):
    perm = torch.randperm(x.shape[1])
    return float((attend(x)[:, perm] - attend(x[:, perm])).abs().max())
