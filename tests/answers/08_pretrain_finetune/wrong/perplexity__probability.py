"""The inverse.

mistake: inverse
fails: a row of losses
"""


def perplexity(loss):
    return (-loss).exp() if isinstance(loss, Tensor) else math.exp(-loss)
