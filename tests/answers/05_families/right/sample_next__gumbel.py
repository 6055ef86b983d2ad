"""Right: cuts by thresholds, and the Gumbel trick for the draw."""


def sample_next(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return torch.argmax(logits, -1)
    x = logits.double() / temperature
    if top_k is not None and top_k < x.shape[-1]:
        kth = torch.topk(x, top_k).values[:, -1:]
        x = torch.where(x < kth, -math.inf, x)
    if top_p is not None:
        p = x.softmax(-1)
        likelier = (p[:, None, :] * (p[:, None, :] > p[:, :, None])).sum(-1) if x.shape[-1] < 50 and len(x) < 500 else None
        if likelier is None:
            values, order = p.sort(-1, descending=True)
            likelier = torch.zeros_like(p).scatter(-1, order, values.cumsum(-1) - values)
        keep = (likelier < top_p) | (p == p.amax(-1, keepdim=True))
        x = torch.where(keep, x, -math.inf)
    u = torch.rand(x.shape, generator=generator, dtype=torch.float64).clamp_min(1e-300)
    return (x - torch.log(-torch.log(u))).argmax(-1)
