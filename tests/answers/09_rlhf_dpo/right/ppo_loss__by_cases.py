"""Right: one bound for good tokens, one for bad ones."""


def ppo_loss(log_p, log_p_old, advantages, mask, clip=0.2):
    gains = advantages.detach() * mask
    ratio = ((log_p - log_p_old.detach()) * mask).exp()
    bound = torch.where(gains > 0, ratio.clamp(max=1 + clip), ratio.clamp(min=1 - clip))
    return -(bound * gains).sum() / max(int(mask.sum()), 1)
