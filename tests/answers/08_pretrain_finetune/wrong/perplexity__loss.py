"""The loss itself.

mistake: unchanged
fails: a row of losses
"""


def perplexity(loss):
    return loss * 1.0
