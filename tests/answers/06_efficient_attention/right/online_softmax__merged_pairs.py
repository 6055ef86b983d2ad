"""Right: each block gives a pair, and two pairs are merged."""


def online_softmax(blocks):
    def pair(block):
        m = torch.amax(block, dim=-1)
        return m, torch.where(block == -math.inf, 0.0, torch.exp(block - m.clamp(min=-1e30)[..., None])).sum(-1)

    def merge(a, b):
        m = torch.maximum(a[0], b[0])
        finite = torch.where(m == -math.inf, torch.zeros_like(m), m)
        return m, a[1] * (a[0] - finite).exp() + b[1] * (b[0] - finite).exp()

    iterator = iter(blocks)
    so_far = pair(next(iterator))
    for block in iterator:
        so_far = merge(so_far, pair(block))
    return so_far
