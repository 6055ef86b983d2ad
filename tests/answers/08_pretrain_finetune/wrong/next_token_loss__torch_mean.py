"""torch's mean over nothing is NaN.

mistake: nan_for_nothing
fails: a single token has no target
"""


def next_token_loss(logits, tokens, ignore_index=-100):
    scores, targets = logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten()
    return F.cross_entropy(scores, targets, ignore_index=ignore_index)
