"""k2 without ½.

mistake: k2_whole
fails: other samples
"""


def kl_estimates(log_p, log_q):
    d = log_p - log_q
    return d, d**2, torch.exp(-d) - 1 + d
