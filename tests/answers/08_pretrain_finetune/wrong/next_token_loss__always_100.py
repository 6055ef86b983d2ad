"""Ignores −100 whatever the argument says.

mistake: ignore_index_fixed
fails: another value is ignored
"""


def next_token_loss(logits, tokens, ignore_index=-100):
    scores, targets = logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten()
    total = F.cross_entropy(scores, targets, reduction="sum")
    return total / (targets != -100).sum().clamp(min=1)
