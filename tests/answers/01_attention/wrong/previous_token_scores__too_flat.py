"""Finds the right place, but e¹ among hundreds of e⁰ is not 0.99.

mistake: lead_too_small
fails: six positions
"""


def previous_token_scores(n):
    k = torch.eye(n)
    q = torch.zeros(n, n)
    q[1:] = math.sqrt(n) * k[:-1]
    return q, k
