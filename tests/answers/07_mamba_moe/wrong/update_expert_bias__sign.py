"""The wrong way round.

mistake: sign
fails: whole numbers
"""


def update_expert_bias(bias, load, rate):
    load = load.to(bias.dtype)
    gap = load - load.mean()
    return bias + rate * gap.sign()
