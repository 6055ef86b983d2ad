"""The sum of squares without the root.

mistake: squared
fails: six scores
"""


def softmax_jacobian_norm(scores):
    p = torch.softmax(scores, dim=-1)
    return float((torch.diag(p) - torch.outer(p, p)).pow(2).sum())
