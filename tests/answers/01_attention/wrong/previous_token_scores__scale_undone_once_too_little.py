"""Multiplies by the fourth root of d, in only one of the two: half of the scale is left.

mistake: scale_forgotten
fails: every length from 2 to 20
"""


def previous_token_scores(n):
    k = torch.eye(n)
    q = torch.zeros(n, n)
    q[1:] = 12.0 * n**0.25 * k[:-1]
    return q, k
