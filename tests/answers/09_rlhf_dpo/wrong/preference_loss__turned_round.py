"""The rejected reward less the chosen one.

mistake: sign
fails: other pairs
"""


def preference_loss(chosen, rejected):
    return -F.logsigmoid(rejected - chosen).mean()
