"""k2 and k3 exchanged.

mistake: order
fails: other samples
"""


def kl_estimates(log_p, log_q):
    d = log_p - log_q
    return d, torch.exp(-d) - 1 + d, d**2 / 2
