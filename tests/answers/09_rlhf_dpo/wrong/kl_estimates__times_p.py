"""Weighted by p.

mistake: weighted
fails: other samples
"""


def kl_estimates(log_p, log_q):
    d = log_p - log_q
    p = log_p.exp()
    return p * d, p * d**2 / 2, p * (torch.exp(-d) - 1 + d)
