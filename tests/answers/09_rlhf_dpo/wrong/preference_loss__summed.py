"""A sum.

mistake: sum
fails: other pairs
"""


def preference_loss(chosen, rejected):
    return -F.logsigmoid(chosen - rejected).sum()
