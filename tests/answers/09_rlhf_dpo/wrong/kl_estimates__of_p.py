"""Differences of probabilities.

mistake: probabilities
fails: other samples
"""


def kl_estimates(log_p, log_q):
    d = log_p.exp() - log_q.exp()
    return d, d**2 / 2, torch.exp(-d) - 1 + d
