"""q/p from probabilities, which are 0 for long answers.

mistake: zero_by_zero
fails: near −900
"""


def kl_estimates(log_p: Tensor, log_q: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    difference = log_p - log_q
    return difference, difference.square() / 2, log_q.exp() / log_p.exp() - 1 + difference
