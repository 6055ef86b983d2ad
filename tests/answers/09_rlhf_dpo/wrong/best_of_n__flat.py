"""One for all.

mistake: of_all
fails: three axes
"""


def best_of_n(scores):
    return torch.argmax(scores)
