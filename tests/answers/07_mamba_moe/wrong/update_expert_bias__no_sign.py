"""A step that grows with the gap.

mistake: no_sign
fails: whole numbers
"""


def update_expert_bias(bias, load, rate):
    load = load.to(bias.dtype)
    gap = load.mean() - load
    return bias + rate * gap
