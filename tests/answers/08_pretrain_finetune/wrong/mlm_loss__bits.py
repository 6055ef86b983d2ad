"""Counts in bits.

mistake: base_2
fails: few labels, unevenly spread
"""


def mlm_loss(logits, labels, ignore_index=-100):
    scores, targets = logits.flatten(0, 1), labels.flatten()
    total = F.cross_entropy(scores, targets, ignore_index=ignore_index, reduction="sum")
    return total / (targets != ignore_index).sum().clamp(min=1) / math.log(2)
