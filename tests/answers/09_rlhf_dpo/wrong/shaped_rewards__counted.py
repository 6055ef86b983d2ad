"""The score where the count points.

mistake: by_length
fails: answers between prompt and padding
"""


def shaped_rewards(score, log_p, log_ref, beta, mask):
    price = torch.where(mask, -beta * (log_p - log_ref), torch.zeros_like(log_p))
    last = mask & (mask.flip(1).int().cumsum(1).flip(1) == 1)
    price[torch.arange(len(score)), (mask.sum(1) - 1).clamp(min=0)] += score
    return price
