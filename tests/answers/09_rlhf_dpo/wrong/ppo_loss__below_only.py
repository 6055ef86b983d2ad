"""Cut below alone.

mistake: lower_side_only
fails: other answers
"""


def ppo_loss(log_p, log_p_old, advantages, mask, clip=0.2):
    old, gains = log_p_old.detach(), advantages.detach()
    ratio = ((log_p - old) * mask).exp()
    objective = torch.minimum(ratio * gains, ratio.clamp(min=1 - clip) * gains)
    return -(objective * mask).sum() / mask.sum().clamp(min=1)
