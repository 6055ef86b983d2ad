"""roll puts the first column behind the last one: a full row has no end.

mistake: wraps_round
fails: no prompt
"""


def shaped_rewards(score, log_p, log_ref, beta, mask):
    last = mask & ~mask.roll(-1, dims=1)
    return -beta * (log_p - log_ref) * mask + last * score[:, None]
