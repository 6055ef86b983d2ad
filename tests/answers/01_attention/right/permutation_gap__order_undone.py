"""Right: puts the second output back in order with the inverse; the largest gap is the same, only elsewhere."""


def permutation_gap(attend, x, perm):
    inverse = torch.argsort(perm)
    return (attend(x) - attend(x[:, perm])[:, inverse]).abs().amax().item()
