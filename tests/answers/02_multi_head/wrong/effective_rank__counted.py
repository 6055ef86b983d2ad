"""The singular values that are not zero are counted.

mistake: counted
fails: known singular values
"""

def effective_rank(matrix):
    return float(torch.linalg.matrix_rank(matrix))
