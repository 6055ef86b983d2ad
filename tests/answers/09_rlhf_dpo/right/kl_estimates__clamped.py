"""Right: k3 cannot be negative, so rounding below 0 is cut off."""


def kl_estimates(log_p, log_q):
    difference = log_p - log_q
    k3 = torch.exp(-difference) - 1 + difference
    return difference, 0.5 * difference.pow(2), k3.clamp(min=0)
