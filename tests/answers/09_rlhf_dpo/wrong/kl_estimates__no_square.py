"""k2 without the square.

mistake: k2_half
fails: other samples
"""


def kl_estimates(log_p, log_q):
    d = log_p - log_q
    return d, d / 2, torch.exp(-d) - 1 + d
