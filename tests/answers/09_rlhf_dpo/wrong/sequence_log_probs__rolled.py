"""roll goes round in a circle.

mistake: first_token_counted
fails: first token
"""


def sequence_log_probs(logits, tokens, mask):
    log_p = logits.log_softmax(-1).gather(-1, tokens.roll(-1, 1).unsqueeze(-1)).squeeze(-1)
    return (log_p * mask.roll(-1, 1)).sum(-1)
