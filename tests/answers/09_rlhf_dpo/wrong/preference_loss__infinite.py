"""log of a sigmoid that is 0.

mistake: overflow
fails: hopeless
"""


def preference_loss(chosen, rejected):
    return -torch.log(torch.sigmoid(chosen - rejected)).mean()
