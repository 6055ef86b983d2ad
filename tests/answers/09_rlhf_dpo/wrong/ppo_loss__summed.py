"""A sum.

mistake: sum
fails: other answers
"""


def ppo_loss(log_p, log_p_old, advantages, mask, clip=0.2):
    old, gains = log_p_old.detach(), advantages.detach()
    ratio = ((log_p - old) * mask).exp()
    objective = torch.minimum(ratio * gains, ratio.clamp(1 - clip, 1 + clip) * gains)
    return -(objective * mask).sum()
