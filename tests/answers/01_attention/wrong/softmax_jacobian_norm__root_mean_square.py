"""The mean of the squares in place of their sum.

mistake: root_mean_square
fails: six scores
"""


def softmax_jacobian_norm(scores):
    p = torch.softmax(scores, dim=-1)
    return float((torch.diag(p) - torch.outer(p, p)).pow(2).mean().sqrt())
