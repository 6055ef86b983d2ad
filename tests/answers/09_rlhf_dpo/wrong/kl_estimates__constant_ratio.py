"""The ratio is detached.

mistake: ratio_constant
fails: other samples
"""


def kl_estimates(log_p, log_q):
    d = log_p - log_q
    return d, d**2 / 2, torch.exp(-d).detach() - 1 + d
