"""The mean of whole numbers by `//`: loads just beside the mean count as equal to it.

mistake: mean_rounded
fails: whole numbers next to their mean
"""


def update_expert_bias(bias, load, rate):
    mean = load.sum() // len(load)
    return bias + rate * torch.sign(mean - load)
