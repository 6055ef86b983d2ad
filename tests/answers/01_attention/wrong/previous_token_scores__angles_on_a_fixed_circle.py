"""Angles that repeat after 64 tokens: the query finds several matches.

mistake: unnamed
fails: a fresh length
"""


def previous_token_scores(n):
    angles = torch.arange(-1, n) * (2 * math.pi / 64)
    points = 120.0 * torch.stack([angles.cos(), angles.sin()], dim=-1)
    return points[:-1], points[1:]
