"""Right: positions with a label are picked first; without one the loss is 0 times the sum of the scores."""


def mlm_loss(logits, labels, ignore_index=-100):
    keep = labels != ignore_index
    if not keep.any():
        return 0.0 * logits.sum()
    return F.cross_entropy(logits[keep], labels[keep])
