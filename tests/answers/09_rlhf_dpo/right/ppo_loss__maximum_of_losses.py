"""Right: the larger one of two losses, as most code has it."""


def ppo_loss(log_p, log_p_old, advantages, mask, clip=0.2):
    gains = advantages.detach()
    ratio = torch.exp(torch.where(mask, log_p - log_p_old.detach(), torch.zeros_like(log_p)))
    losses = torch.max(-gains * ratio, -gains * torch.clamp(ratio, 1.0 - clip, 1.0 + clip))
    return torch.where(mask, losses, torch.zeros_like(losses)).sum() / mask.sum().clamp(min=1)
