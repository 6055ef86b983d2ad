"""A squared distance to 1.

mistake: squared
fails: other pairs
"""


def preference_loss(chosen, rejected):
    return ((chosen - rejected - 1) ** 2).mean()
