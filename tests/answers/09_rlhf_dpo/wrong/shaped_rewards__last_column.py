"""The next position decides, and the last column has none: no score there.

mistake: last_column_left_out
fails: up to the end of the row
"""


def shaped_rewards(score, log_p, log_ref, beta, mask):
    last = torch.zeros_like(mask)
    last[:, :-1] = mask[:, :-1] & ~mask[:, 1:]
    return -beta * (log_p - log_ref) * mask + last * score[:, None]
