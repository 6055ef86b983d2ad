"""log2 is combined with exp.

mistake: bits
fails: known singular values
"""

def effective_rank(matrix):
    s = torch.linalg.svdvals(matrix)
    return math.exp(torch.special.entr(s / s.sum()).sum().item() / math.log(2))
