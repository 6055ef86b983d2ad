"""A small number inside the logarithm.

mistake: clamped
fails: hopeless
"""


def preference_loss(chosen, rejected):
    return -torch.log(torch.sigmoid(chosen - rejected) + 1e-8).mean()
