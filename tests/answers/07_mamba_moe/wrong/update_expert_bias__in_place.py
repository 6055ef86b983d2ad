"""Changes the bias that was given.

mistake: unnamed
fails: whole numbers
"""


def update_expert_bias(bias, load, rate):
    load = load.to(bias.dtype)
    gap = load.mean() - load
    bias += rate * gap.sign()
    return bias
