"""The score on the first token.

mistake: score_first
fails: no prompt
"""


def shaped_rewards(score, log_p, log_ref, beta, mask):
    price = torch.where(mask, -beta * (log_p - log_ref), torch.zeros_like(log_p))
    last = mask & (mask.flip(1).int().cumsum(1).flip(1) == 1)
    first = mask & (mask.int().cumsum(1) == 1)
    return price + score[:, None] * first
