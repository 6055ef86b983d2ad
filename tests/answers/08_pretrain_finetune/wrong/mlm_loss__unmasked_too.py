"""Positions without a label are targets.

mistake: unmasked_as_token
fails: few labels, unevenly spread
"""


def mlm_loss(logits, labels, ignore_index=-100):
    scores, targets = logits.flatten(0, 1), labels.flatten()
    targets = targets.clamp(min=0)
    return F.cross_entropy(scores, targets)
