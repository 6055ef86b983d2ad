"""Counts from the first marked token to the end of the row.

mistake: padding_counted
fails: other answers
"""


def sequence_log_probs(logits, tokens, mask):
    log_p = logits[:, :-1].log_softmax(-1).gather(-1, tokens[:, 1:].unsqueeze(-1)).squeeze(-1)
    started = mask.int().cumsum(1) > 0
    return (log_p * started[:, 1:]).sum(-1)
