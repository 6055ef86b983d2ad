"""Right: a = 0 is replaced by a number so small that nobody sees it."""


def discretize(a, b, delta):
    tiny = torch.finfo(a.dtype).tiny ** 0.5
    a = torch.where(a == 0, torch.full_like(a, tiny), a)
    return torch.exp(delta * a), torch.expm1(delta * a) / a * b
