"""Compares mean rewards.

mistake: mean_first
fails: other pairs
"""


def preference_loss(chosen, rejected):
    return -F.logsigmoid(chosen.mean() - rejected.mean())
