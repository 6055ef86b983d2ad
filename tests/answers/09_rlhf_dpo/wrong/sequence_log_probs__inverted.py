"""True is taken for padding.

mistake: mask_inverted
fails: other answers
"""


def sequence_log_probs(logits, tokens, mask):
    log_p = logits[:, :-1].log_softmax(-1).gather(-1, tokens[:, 1:].unsqueeze(-1)).squeeze(-1)
    return log_p.masked_fill(mask[:, 1:], 0.0).sum(-1)
