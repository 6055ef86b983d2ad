"""A mean over the tokens.

mistake: mean
fails: other answers
"""


def sequence_log_probs(logits, tokens, mask):
    log_p = logits[:, :-1].log_softmax(-1).gather(-1, tokens[:, 1:].unsqueeze(-1)).squeeze(-1)
    real = mask[:, 1:]
    return (log_p * real).sum(-1) / real.sum(-1).clamp(min=1)
