"""The sum of absolute values in place of the root of the sum of squares.

mistake: sum_of_absolute_values
fails: six scores
"""


def softmax_jacobian_norm(scores):
    p = torch.softmax(scores, dim=-1)
    return float((torch.diag(p) - torch.outer(p, p)).abs().sum())
