"""The parabola's top on t and not on t − 1.

mistake: on_itself
fails: six positions
"""


def previous_token_scores(n):
    place = torch.arange(n, dtype=torch.float32)
    k = torch.stack([2 * place, -(place**2)], dim=1)
    q = torch.stack([place, torch.ones(n)], dim=1) * 30.0
    return q, k
