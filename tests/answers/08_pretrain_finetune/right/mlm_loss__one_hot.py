"""Right: log-probabilities times a one-hot of the labels."""


def mlm_loss(logits, labels, ignore_index=-100):
    at = (labels != ignore_index).to(logits.dtype)
    wanted = F.one_hot(torch.where(labels == ignore_index, 0, labels), logits.shape[-1]).to(logits.dtype)
    losses = -(logits.log_softmax(-1) * wanted).sum(-1) * at
    return losses.sum() / at.sum().clamp(min=1)
