"""No reduction.

mistake: per_pair
fails: other pairs
"""


def preference_loss(chosen, rejected):
    return -F.logsigmoid(chosen - rejected)
