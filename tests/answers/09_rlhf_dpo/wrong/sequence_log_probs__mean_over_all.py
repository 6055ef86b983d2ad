"""The mean over all positions.

mistake: mean_over_all
fails: answers between
"""

def sequence_log_probs(logits, tokens, mask):
    keep = mask[:, 1:]
    scores = logits[:, :-1].masked_fill(~keep[..., None], 0.0)
    targets = tokens[:, 1:].masked_fill(~keep, 0)
    log_probs = scores.log_softmax(-1).gather(-1, targets[..., None]).squeeze(-1)
    return log_probs.masked_fill(~keep, 0.0).mean(-1)
