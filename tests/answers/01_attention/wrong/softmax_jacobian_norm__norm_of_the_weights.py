"""The norm of the softmax itself, not of its derivative.

mistake: norm_of_the_weights
fails: six scores
"""


def softmax_jacobian_norm(scores):
    return float(torch.softmax(scores, dim=-1).norm())
