"""Raises 2.

mistake: base_2
fails: a row of losses
"""


def perplexity(loss):
    return 2**loss
