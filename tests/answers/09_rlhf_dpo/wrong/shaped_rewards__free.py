"""No price.

mistake: no_price
fails: no prompt
"""


def shaped_rewards(score, log_p, log_ref, beta, mask):
    price = torch.where(mask, -beta * (log_p - log_ref), torch.zeros_like(log_p))
    last = mask & (mask.flip(1).int().cumsum(1).flip(1) == 1)
    return (score[:, None] * last).to(log_p.dtype)
