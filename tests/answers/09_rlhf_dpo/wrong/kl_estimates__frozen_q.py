"""No gradient to log q.

mistake: q_constant
fails: other samples
"""


def kl_estimates(log_p, log_q):
    d = log_p - log_q.detach()
    return d, d**2 / 2, torch.exp(-d) - 1 + d
