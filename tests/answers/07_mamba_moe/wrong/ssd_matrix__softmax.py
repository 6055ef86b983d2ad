"""A softmax over the scores, as in attention.

mistake: unnamed
fails: six positions, three numbers in the state
"""


def ssd_matrix(a, b, c):
    below = torch.ones(len(a), len(a), dtype=torch.bool).tril(-1)
    decay = torch.where(below, a[:, None], torch.ones_like(a[:, None])).cumprod(0).tril()
    scores = (c @ b.T).masked_fill(decay == 0, -torch.inf)
    return torch.softmax(scores, -1) * decay
