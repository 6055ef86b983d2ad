"""Query and key of the same position match: each token attends to itself.

mistake: on_itself
fails: six positions
"""


def previous_token_scores(n):
    k = torch.eye(n)
    return 20.0 * math.sqrt(n) * k, k
