"""Right: indexes the labelled positions first."""


def mlm_loss(logits, labels, ignore_index=-100):
    at = labels != ignore_index
    if not at.any():
        return logits.sum() * 0
    return F.cross_entropy(logits[at], labels[at])
