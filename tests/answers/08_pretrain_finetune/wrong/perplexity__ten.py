"""Raises 10.

mistake: base_10
fails: a row of losses
"""


def perplexity(loss):
    return 10**loss
