"""Takes softmax for a function of one number and looks at p(1 − p) only.

mistake: diagonal_only
fails: six scores
"""


def softmax_jacobian_norm(scores):
    p = torch.softmax(scores, dim=-1)
    return float((p * (1 - p)).norm())
