"""Writes exp / sum without taking the maximum off: NaN for scores of 1000.

mistake: overflow
fails: scores of ±1000 and two close rivals
"""


def softmax_jacobian_norm(scores):
    p = scores.exp() / scores.exp().sum()
    return float((torch.diag(p) - torch.outer(p, p)).norm())
