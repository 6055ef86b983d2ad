"""Returns the step.

mistake: bias_replaced
fails: whole numbers
"""


def update_expert_bias(bias, load, rate):
    load = load.to(bias.dtype)
    gap = load.mean() - load
    return rate * gap.sign()
