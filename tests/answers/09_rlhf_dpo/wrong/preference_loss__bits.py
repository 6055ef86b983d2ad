"""Counts in bits.

mistake: base_2
fails: other pairs
"""


def preference_loss(chosen, rejected):
    return -F.logsigmoid(chosen - rejected).mean() / math.log(2)
