"""Cuts the logarithm in place of the ratio.

mistake: unnamed
fails: other answers
"""


def ppo_loss(log_p, log_p_old, advantages, mask, clip=0.2):
    old, gains = log_p_old.detach(), advantages.detach()
    ratio = ((log_p - old) * mask).exp()
    objective = torch.minimum(ratio * gains, ratio.log().clamp(-clip, clip).exp() * gains)
    return -(objective * mask).sum() / mask.sum().clamp(min=1)
