"""Rolls the wrong way: row t of the queries is key t + 1.

mistake: on_the_next
fails: six positions
"""


def previous_token_scores(n):
    k = torch.eye(n)
    q = torch.roll(k, shifts=-1, dims=0) * 20.0 * math.sqrt(n)
    return q, k
