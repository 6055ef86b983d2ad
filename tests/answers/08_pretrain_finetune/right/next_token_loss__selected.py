"""Right: keeps only what counts, then logsumexp."""


def next_token_loss(logits, tokens, ignore_index=-100):
    scores, targets = logits[:, :-1], tokens[:, 1:]
    counts = targets != ignore_index
    scores, targets = scores[counts], targets[counts]
    losses = scores.logsumexp(-1) - scores[torch.arange(len(targets)), targets]
    return losses.sum() / max(len(targets), 1)
