"""Old by new.

mistake: ratio_inverted
fails: other answers
"""


def ppo_loss(log_p, log_p_old, advantages, mask, clip=0.2):
    old, gains = log_p_old.detach(), advantages.detach()
    ratio = ((old - log_p) * mask).exp()
    objective = torch.minimum(ratio * gains, ratio.clamp(1 - clip, 1 + clip) * gains)
    return -(objective * mask).sum() / mask.sum().clamp(min=1)
