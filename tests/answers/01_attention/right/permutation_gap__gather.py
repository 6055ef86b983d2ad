"""Right: gather with an expanded index; the larger of the two signed extremes."""


def permutation_gap(attend, x, perm):
    def shuffle(y):
        return torch.gather(y, 1, perm.view(1, -1, 1).expand(y.shape[0], -1, y.shape[2]))

    gap = shuffle(attend(x)) - attend(shuffle(x))
    return max(gap.max().item(), -gap.min().item())
