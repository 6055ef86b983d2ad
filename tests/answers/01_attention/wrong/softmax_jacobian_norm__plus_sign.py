"""Sign slip: diag(p) + p pᵀ.

mistake: plus_sign
fails: six scores
"""


def softmax_jacobian_norm(scores):
    p = torch.softmax(scores, dim=-1)
    return float((torch.diag(p) + torch.outer(p, p)).norm())
