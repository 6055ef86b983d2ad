"""Leaves out singular values below a fixed number.

mistake: fixed_threshold
fails: a tiny matrix
"""

def effective_rank(matrix):
    s = torch.linalg.svdvals(matrix)
    s = s[s > 1e-6]
    p = s / s.sum()
    return math.exp(-(p * p.log()).sum().item())
