"""Right: tokens on a half circle, as RoPE would turn them; the query is turned back by one step."""


def previous_token_scores(n):
    step = math.pi / (n + 1)
    sharp = math.sqrt(40.0 * math.sqrt(2.0)) / step  # the cosine's top is flat: 1 − step²/2
    angles = torch.arange(-1, n) * step
    points = sharp * torch.stack([angles.cos(), angles.sin()], dim=-1)
    return points[:-1], points[1:]
