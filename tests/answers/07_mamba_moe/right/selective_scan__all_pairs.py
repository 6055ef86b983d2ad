"""Right: no state: sums over all pairs of positions, by differences of running sums of δ."""


def selective_scan(x, delta, a, b, c, d):
    total = delta.cumsum(1)
    between = (total[:, :, None] - total[:, None, :]).clamp(min=0)
    past = torch.ones(x.shape[1], x.shape[1], dtype=x.dtype).tril()
    decay = torch.exp(between[..., None] * a) * past[None, :, :, None, None]
    weights = torch.einsum("bin,bijcn,bjn->bijc", c, decay, b)
    return torch.einsum("bijc,bjc->bic", weights, delta * x) + d * x
