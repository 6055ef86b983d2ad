"""Off by one: attends to t − 2.

mistake: two_back
fails: six positions
"""


def previous_token_scores(n):
    k = torch.eye(n)
    q = torch.zeros(n, n)
    q[2:] = 20.0 * math.sqrt(n) * k[:-2]
    return q, k
