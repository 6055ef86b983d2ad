"""The likeliest token in place of the written one.

mistake: largest
fails: other answers
"""


def sequence_log_probs(logits, tokens, mask):
    best = logits[:, :-1].log_softmax(-1).max(-1).values
    return (best * mask[:, 1:]).sum(-1)
