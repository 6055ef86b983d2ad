"""Compares with the median.

mistake: median
fails: whole numbers
"""


def update_expert_bias(bias, load, rate):
    load = load.to(bias.dtype)
    gap = load.median() - load
    return bias + rate * gap.sign()
