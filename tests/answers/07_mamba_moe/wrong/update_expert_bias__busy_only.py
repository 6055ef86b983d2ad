"""Only pushes down.

mistake: busy_only
fails: whole numbers
"""


def update_expert_bias(bias, load, rate):
    load = load.to(bias.dtype)
    gap = load.mean() - load
    return bias + rate * gap.sign().clamp(max=0)
