"""KL(q‖p).

mistake: direction
fails: other samples
"""


def kl_estimates(log_p, log_q):
    d = log_q - log_p
    return d, d**2 / 2, torch.exp(-d) - 1 + d
