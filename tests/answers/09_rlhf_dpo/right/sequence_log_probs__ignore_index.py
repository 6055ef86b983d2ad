"""Right: tokens that do not count become −100, as in chapter 08."""


def sequence_log_probs(logits, tokens, mask):
    B, T, V = logits.shape
    labels = tokens.masked_fill(~mask, -100)[:, 1:].reshape(-1)
    losses = F.cross_entropy(logits[:, :-1].reshape(-1, V), labels, ignore_index=-100, reduction="none")
    return -losses.view(B, T - 1).sum(dim=1)
