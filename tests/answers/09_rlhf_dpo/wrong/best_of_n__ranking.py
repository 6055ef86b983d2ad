"""A ranking.

mistake: order
fails: three axes
"""


def best_of_n(scores):
    return torch.argsort(scores, dim=-1, descending=True)
