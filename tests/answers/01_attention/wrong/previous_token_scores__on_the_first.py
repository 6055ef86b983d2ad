"""Every token attends to the first one.

mistake: on_the_first
fails: six positions
"""


def previous_token_scores(n):
    k = torch.eye(n)
    q = torch.zeros(n, n)
    q[1:, 0] = 20.0 * math.sqrt(n)
    return q, k
