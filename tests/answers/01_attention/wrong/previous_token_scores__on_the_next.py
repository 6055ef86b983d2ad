"""Shifts the wrong way: asks for the next token, which the mask hides.

mistake: on_the_next
fails: six positions
"""


def previous_token_scores(n):
    k = torch.eye(n)
    q = torch.zeros(n, n)
    q[:-1] = 20.0 * math.sqrt(n) * k[1:]
    return q, k
