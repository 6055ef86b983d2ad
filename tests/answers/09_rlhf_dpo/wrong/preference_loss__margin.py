"""A hinge loss.

mistake: hinge
fails: other pairs
"""


def preference_loss(chosen, rejected):
    return F.relu(1 - (chosen - rejected)).mean()
