"""Sharp enough for plain dot products; divided by √d it is not.

mistake: scale_forgotten
fails: every length from 2 to 20
"""


def previous_token_scores(n):
    k = torch.eye(n)
    q = torch.zeros(n, n)
    q[1:] = 20.0 * k[:-1]
    return q, k
