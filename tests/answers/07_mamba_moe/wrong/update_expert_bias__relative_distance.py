"""The gap relative to the mean.

mistake: relative_distance
fails: whole numbers
"""


def update_expert_bias(bias, load, rate):
    load = load.to(bias.dtype)
    gap = load.mean() - load
    return bias + rate * gap / load.mean()
