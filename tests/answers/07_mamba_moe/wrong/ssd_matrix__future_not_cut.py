"""Nothing is cut off above the diagonal.

mistake: future_not_cut
fails: six positions, three numbers in the state
"""


def ssd_matrix(a, b, c):
    below = torch.ones(len(a), len(a), dtype=torch.bool).tril(-1)
    return c @ b.T * torch.where(below, a[:, None], torch.ones_like(a[:, None])).cumprod(0)
