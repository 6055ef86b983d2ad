"""Right: the finished parallel scan over all states at once."""


def selective_scan(x, delta, a, b, c, d):
    decay = torch.exp(delta[..., None] * a)
    enter = (delta * x)[..., None] * b[:, :, None]
    h = course.associative_scan(decay, enter)
    return (h * c[:, :, None]).sum(-1) + x * d
