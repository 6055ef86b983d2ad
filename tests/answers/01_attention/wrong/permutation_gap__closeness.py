"""Answers whether the two sides are close, not how far apart they are.

mistake: unnamed
fails: a layer that knows the order
"""


def permutation_gap(attend, x, perm):
    return torch.allclose(attend(x)[:, perm], attend(x[:, perm]), atol=1e-6)
