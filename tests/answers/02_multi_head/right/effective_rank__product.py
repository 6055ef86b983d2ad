"""As a product of powers p^(-p)."""

def effective_rank(matrix):
    p = torch.linalg.svdvals(matrix.double())
    p = p / p.sum()
    return float(torch.prod(p ** (-p)))
