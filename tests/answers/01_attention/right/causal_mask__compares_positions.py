"""Right: positions compared by broadcasting."""


def causal_mask(n):
    positions = torch.arange(n)
    return positions[None, :] <= positions[:, None]
