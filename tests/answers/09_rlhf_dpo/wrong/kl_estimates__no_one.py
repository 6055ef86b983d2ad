"""k3 without −1.

mistake: k3_no_one
fails: other samples
"""


def kl_estimates(log_p, log_q):
    d = log_p - log_q
    return d, d**2 / 2, torch.exp(-d) + d
