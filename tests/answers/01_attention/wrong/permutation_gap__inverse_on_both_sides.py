"""Uses the inverse permutation throughout, by scattering to perm and not gathering from it.

mistake: inverse_on_both_sides
fails: a layer that knows the order
"""


def permutation_gap(attend, x, perm):
    def shuffle(y):
        moved = torch.empty_like(y)
        moved[:, perm] = y
        return moved

    return float((shuffle(attend(x)) - attend(shuffle(x))).abs().max())
