"""Adds a batch axis to both.

mistake: leading_axis
fails: six positions
"""


def previous_token_scores(n):
    k = torch.eye(n)
    q = torch.zeros(n, n)
    q[1:] = 20.0 * math.sqrt(n) * k[:-1]
    return q[None], k[None]
