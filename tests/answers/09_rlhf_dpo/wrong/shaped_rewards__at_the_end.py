"""The whole KL at the end.

mistake: all_at_the_end
fails: no prompt
"""


def shaped_rewards(score, log_p, log_ref, beta, mask):
    price = torch.where(mask, -beta * (log_p - log_ref), torch.zeros_like(log_p))
    last = mask & (mask.flip(1).int().cumsum(1).flip(1) == 1)
    return (price.sum(1) + score)[:, None] * last
