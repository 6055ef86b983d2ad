"""Uses infinity to be sure: inf · 0 is NaN.

mistake: infinite
fails: six positions
"""


def previous_token_scores(n):
    k = torch.eye(n)
    q = torch.zeros(n, n)
    q[1:] = k[:-1] * torch.tensor(1e39)
    return q, k
