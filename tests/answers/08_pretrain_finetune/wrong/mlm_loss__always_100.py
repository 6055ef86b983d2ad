"""Ignores −100 whatever the argument says.

mistake: ignore_index_fixed
fails: another value is ignored
"""


def mlm_loss(logits, labels, ignore_index=-100):
    scores, targets = logits.flatten(0, 1), labels.flatten()
    total = F.cross_entropy(scores, targets, reduction="sum")
    return total / (targets != -100).sum().clamp(min=1)
