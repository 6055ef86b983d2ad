"""Cuts the mask at its end: off by one.

mistake: mask_not_shifted
fails: other answers
"""


def sequence_log_probs(logits, tokens, mask):
    log_p = logits[:, :-1].log_softmax(-1).gather(-1, tokens[:, 1:].unsqueeze(-1)).squeeze(-1)
    return (log_p * mask[:, :-1]).sum(-1)
