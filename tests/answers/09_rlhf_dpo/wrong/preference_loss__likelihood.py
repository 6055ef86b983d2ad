"""The log-likelihood.

mistake: not_negated
fails: other pairs
"""


def preference_loss(chosen, rejected):
    return F.logsigmoid(chosen - rejected).mean()
