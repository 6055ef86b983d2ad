"""One minus the probability.

mistake: one_minus
fails: other pairs
"""


def preference_loss(chosen, rejected):
    return (1 - torch.sigmoid(chosen - rejected)).mean()
