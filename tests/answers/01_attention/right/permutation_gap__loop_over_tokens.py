"""Right: one token at a time; a plain loop keeps the largest gap."""


def permutation_gap(attend, x, perm):
    order = [int(p) for p in perm]
    plain = attend(x)
    shuffled = attend(torch.stack([x[:, p] for p in order], dim=1))
    gap = 0.0
    for i, p in enumerate(order):
        gap = max(gap, float((plain[:, p] - shuffled[:, i]).abs().max()))
    return gap
