"""0 · log 0 is trusted to be 0.

mistake: log_of_zero
fails: singular values of exactly 0
"""

def effective_rank(matrix):
    s = torch.linalg.svdvals(matrix)
    p = s / s.sum()
    return torch.exp(-(p * p.log()).sum()).item()
