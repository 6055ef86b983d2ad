"""Back to probabilities first: those of a long answer are 0, and 0 by 0 is NaN.

mistake: unnamed
fails: whole answers
"""


def kl_estimates(log_p, log_q):
    p, q = log_p.exp(), log_q.exp()
    ratio = q / p
    return torch.log(p / q), 0.5 * torch.log(ratio) ** 2, ratio - 1 - torch.log(ratio)
