"""Tuned on a dozen tokens: among 512 the many small weights add up.

mistake: lead_too_small
fails: a fresh length
"""


def previous_token_scores(n):
    k = torch.eye(n)
    q = torch.zeros(n, n)
    q[1:] = 8.0 * math.sqrt(n) * k[:-1]
    return q, k
