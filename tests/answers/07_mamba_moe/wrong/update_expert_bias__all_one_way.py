"""Compares with 0.

mistake: all_one_way
fails: whole numbers
"""


def update_expert_bias(bias, load, rate):
    load = load.to(bias.dtype)
    gap = -load
    return bias + rate * gap.sign()
