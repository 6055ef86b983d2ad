"""Forgets the shift.

mistake: no_shift
fails: texts of different lengths
"""


def next_token_loss(logits, tokens, ignore_index=-100):
    scores, targets = logits.flatten(0, 1), tokens.flatten()
    total = F.cross_entropy(scores, targets, ignore_index=ignore_index, reduction="sum")
    return total / (targets != ignore_index).sum().clamp(min=1)
