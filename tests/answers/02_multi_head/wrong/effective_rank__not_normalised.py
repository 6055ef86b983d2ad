"""The singular values are not divided by their sum.

mistake: not_normalised
fails: known singular values
"""

def effective_rank(matrix):
    s = torch.linalg.svdvals(matrix)
    return math.exp(min(50.0, torch.special.entr(s).sum().item()))
