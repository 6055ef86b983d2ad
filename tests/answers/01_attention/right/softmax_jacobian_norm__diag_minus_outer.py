"""Right: diag(p) − p pᵀ, and all its singular values squared, summed, root taken."""


def softmax_jacobian_norm(scores):
    p = scores.softmax(-1)
    matrix = torch.diag_embed(p) - torch.outer(p, p)
    return float(torch.linalg.svdvals(matrix).norm())
