"""Forgets the shift.

mistake: no_shift
fails: other answers
"""


def sequence_log_probs(logits, tokens, mask):
    log_p = logits.log_softmax(-1).gather(-1, tokens.unsqueeze(-1)).squeeze(-1)
    return (log_p * mask).sum(-1)
