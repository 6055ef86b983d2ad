"""A score at the first position of an empty row.

mistake: empty_row_first
fails: without an answer
"""


def shaped_rewards(score, log_p, log_ref, beta, mask):
    price = torch.where(mask, -beta * (log_p - log_ref), torch.zeros_like(log_p))
    last = mask & (mask.flip(1).int().cumsum(1).flip(1) == 1)
    index = (mask * torch.arange(mask.shape[1])).argmax(1)
    price[torch.arange(len(score)), index] += score
    return price
