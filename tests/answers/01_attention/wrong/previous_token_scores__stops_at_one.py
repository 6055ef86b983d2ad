"""Spreads the angles over n − 1 steps, which divides by zero for a text of one token.

mistake: unnamed
fails: one position
"""


def previous_token_scores(n):
    step = math.pi / (n - 1)
    sharp = math.sqrt(60.0 * math.sqrt(2.0)) / step
    angles = torch.arange(-1, n) * step
    points = sharp * torch.stack([angles.cos(), angles.sin()], dim=-1)
    return points[:-1], points[1:]
