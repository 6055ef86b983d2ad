"""Padding is a target.

mistake: padding_as_token
fails: texts of different lengths
"""


def next_token_loss(logits, tokens, ignore_index=-100):
    scores, targets = logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten()
    targets = targets.clamp(min=0)
    return F.cross_entropy(scores, targets)
