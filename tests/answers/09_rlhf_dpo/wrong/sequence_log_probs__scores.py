"""The scores themselves.

mistake: raw_scores
fails: other answers
"""


def sequence_log_probs(logits, tokens, mask):
    picked = logits[:, :-1].gather(-1, tokens[:, 1:].unsqueeze(-1)).squeeze(-1)
    return (picked * mask[:, 1:]).sum(-1)
