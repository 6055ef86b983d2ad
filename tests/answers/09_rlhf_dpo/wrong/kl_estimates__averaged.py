"""Means.

mistake: means
fails: other samples
"""


def kl_estimates(log_p, log_q):
    d = log_p - log_q
    return d.mean(), (d**2 / 2).mean(), (torch.exp(-d) - 1 + d).mean()
