"""Right: torch.where over the samples."""


def drop_path(x, p, training, generator=None):
    if not training:
        return x.clone()
    dropped = torch.rand(len(x), generator=generator) < p
    dropped = dropped.reshape(-1, *[1] * (x.dim() - 1)).expand_as(x)
    return torch.where(dropped, torch.zeros_like(x), x / max(1 - p, 1e-12))
