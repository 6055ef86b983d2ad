"""The entropy is returned.

mistake: without_exp
fails: known singular values
"""

def effective_rank(matrix):
    s = torch.linalg.svdvals(matrix)
    return torch.special.entr(s / s.sum()).sum().item()
