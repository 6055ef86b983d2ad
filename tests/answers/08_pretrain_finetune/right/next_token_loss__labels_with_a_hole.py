"""Right: labels shifted by concatenation, the last one ignored; the mean of torch where it exists."""


def next_token_loss(logits, tokens, ignore_index=-100):
    labels = torch.cat([tokens[:, 1:], torch.full_like(tokens[:, :1], ignore_index)], dim=1)
    if (labels == ignore_index).all():
        return logits.sum() * 0
    return F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignore_index)
