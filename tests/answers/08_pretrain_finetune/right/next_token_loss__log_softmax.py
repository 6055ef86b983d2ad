"""Right: log_softmax, gather, and a masked sum."""


def next_token_loss(logits, tokens, ignore_index=-100):
    targets = tokens[:, 1:]
    counts = targets != ignore_index
    log_p = torch.log_softmax(logits[:, :-1], dim=-1)
    picked = torch.gather(log_p, 2, torch.where(counts, targets, 0).unsqueeze(2)).squeeze(2)
    if not counts.any():
        return 0.0 * logits.sum()
    return -(picked * counts).sum() / counts.sum()
