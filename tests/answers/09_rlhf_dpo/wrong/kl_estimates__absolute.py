"""k2 with the absolute value.

mistake: k2_absolute
fails: other samples
"""


def kl_estimates(log_p, log_q):
    d = log_p - log_q
    return d, d.abs() / 2, torch.exp(-d) - 1 + d
