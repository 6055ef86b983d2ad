"""Energies are taken for singular values.

mistake: squared
fails: known singular values
"""

def effective_rank(matrix):
    s = torch.linalg.svdvals(matrix) ** 2
    return torch.special.entr(s / s.sum()).sum().exp().item()
