"""Right: keeps the real tokens first."""


def ppo_loss(log_p, log_p_old, advantages, mask, clip=0.2):
    if not mask.any():
        return (log_p * 0).sum()
    with torch.no_grad():
        old, gains = log_p_old[mask], advantages[mask]
    ratio = (log_p[mask] - old).exp()
    cut = ratio.clip(1 - clip, 1 + clip)
    return -torch.minimum(ratio * gains, cut * gains).mean()
