"""Averages first.

mistake: unnamed
fails: a row of losses
"""


def perplexity(loss):
    return loss.mean().exp() if isinstance(loss, Tensor) else math.exp(loss)
