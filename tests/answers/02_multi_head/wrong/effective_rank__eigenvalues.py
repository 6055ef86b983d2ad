"""Eigenvalues in place of singular values.

mistake: unnamed
fails: known singular values
"""

def effective_rank(matrix):
    size = min(matrix.shape)
    values = torch.linalg.eigvals(matrix[:size, :size]).abs()
    return torch.special.entr(values / values.sum()).sum().exp().item()
