"""Inverts perm for the input and uses it as it is for the output.

mistake: inverse_on_the_other_side
fails: a layer blind to order, and one that is not
"""


def permutation_gap(attend, x, perm):
    inverse = torch.empty_like(perm)
    inverse[perm] = torch.arange(len(perm))
    return float((attend(x)[:, perm] - attend(x[:, inverse])).abs().max())
