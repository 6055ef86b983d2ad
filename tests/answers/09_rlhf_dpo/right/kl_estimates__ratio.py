"""Right: by the ratio q/p."""


def kl_estimates(log_p, log_q):
    log_ratio = log_q - log_p
    ratio = torch.exp(log_ratio)
    return -log_ratio, 0.5 * log_ratio**2, (ratio - 1) - log_ratio
