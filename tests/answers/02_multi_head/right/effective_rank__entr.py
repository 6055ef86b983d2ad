"""With special.entr."""

def effective_rank(matrix):
    s = torch.linalg.svd(matrix, full_matrices=False).S
    return torch.special.entr(s / s.sum()).sum().exp().item()
