"""Returns a plain 0 for nothing.

mistake: unnamed
fails: no label at all
"""


def mlm_loss(logits, labels, ignore_index=-100):
    scores, targets = logits.flatten(0, 1), labels.flatten()
    if (targets == ignore_index).all():
        return 0.0
    return F.cross_entropy(scores, targets, ignore_index=ignore_index)
