"""Right: index_select on axis 1."""


def permutation_gap(attend, x, perm):
    shuffled_after = attend(x).index_select(1, perm)
    shuffled_before = attend(x.index_select(1, perm))
    return float(torch.max(torch.abs(shuffled_after - shuffled_before)))
