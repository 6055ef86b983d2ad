"""The Jacobian of log-softmax, I − 1 pᵀ.

mistake: log_softmax
fails: six scores
"""


def softmax_jacobian_norm(scores):
    matrix = torch.autograd.functional.jacobian(lambda s: torch.log_softmax(s, dim=-1), scores.detach())
    return float(matrix.norm())
