"""Works from two tokens on and stops at one, where there is no previous token.

mistake: unnamed
fails: TODO
"""


def previous_token_scores(n):
    k = torch.eye(n)
    q = torch.stack([torch.zeros(n)] + [20.0 * math.sqrt(n) * k[t - 1] for t in range(1, n)])
    return q, k / (k[1:].sum() / (n - 1))
