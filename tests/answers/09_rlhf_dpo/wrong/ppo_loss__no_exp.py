"""No exponential.

mistake: log_ratio
fails: other answers
"""


def ppo_loss(log_p, log_p_old, advantages, mask, clip=0.2):
    old, gains = log_p_old.detach(), advantages.detach()
    ratio = (log_p - old) * mask
    objective = torch.minimum(ratio * gains, ratio.clamp(1 - clip, 1 + clip) * gains)
    return -(objective * mask).sum() / mask.sum().clamp(min=1)
