"""The largest singular value (ord=2), and not the Frobenius norm.

mistake: spectral_norm
fails: six scores
"""


def softmax_jacobian_norm(scores):
    p = torch.softmax(scores, dim=-1)
    return float(torch.linalg.matrix_norm(torch.diag(p) - torch.outer(p, p), ord=2))
