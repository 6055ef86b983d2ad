"""Right: cross_entropy without a reduction."""


def sequence_log_probs(logits, tokens, mask):
    scores, targets = logits[:, :-1], tokens[:, 1:]
    losses = F.cross_entropy(scores.flatten(0, 1), targets.flatten(), reduction="none").view(targets.shape)
    return -torch.where(mask[:, 1:], losses, torch.zeros_like(losses)).sum(dim=1)
