"""Each reward by itself.

mistake: each_alone
fails: other pairs
"""


def preference_loss(chosen, rejected):
    return -(F.logsigmoid(chosen) + F.logsigmoid(-rejected)).mean()
