"""Forgets that the own score counts too: only p pᵀ is left.

mistake: outer_product_only
fails: six scores
"""


def softmax_jacobian_norm(scores):
    p = torch.softmax(scores, dim=-1)
    return float(torch.outer(p, p).norm())
