"""No logarithm.

mistake: no_log
fails: other pairs
"""


def preference_loss(chosen, rejected):
    return -torch.sigmoid(chosen - rejected).mean()
