"""k1 three times.

mistake: unnamed
fails: other samples
"""


def kl_estimates(log_p, log_q):
    d = log_p - log_q
    return d, d, d
