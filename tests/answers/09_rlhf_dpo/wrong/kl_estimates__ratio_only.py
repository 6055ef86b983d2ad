"""k3 without the logarithm.

mistake: k3_log_missing
fails: other samples
"""


def kl_estimates(log_p, log_q):
    d = log_p - log_q
    return d, d**2 / 2, torch.exp(-d) - 1
