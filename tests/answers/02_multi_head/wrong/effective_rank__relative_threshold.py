"""Values below a hundredth of the largest are left out.

mistake: unnamed
fails: a small singular value counts
"""

def effective_rank(matrix):
    s = torch.linalg.svdvals(matrix)
    s = s[s > 0.01 * s[0]]
    p = s / s.sum()
    return math.exp(-(p * p.log()).sum().item())
