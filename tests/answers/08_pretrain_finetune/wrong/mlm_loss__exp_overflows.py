"""A softmax by hand, without its maximum.

mistake: overflow
fails: scores of a thousand
"""


def mlm_loss(logits, labels, ignore_index=-100):
    scores, targets = logits.flatten(0, 1), labels.flatten()
    counts = targets != ignore_index
    p = scores.exp() / scores.exp().sum(-1, keepdim=True)
    picked = p.gather(1, targets.clamp(min=0).unsqueeze(1)).squeeze(1)
    return -torch.where(counts, picked.log(), 0.0).sum() / counts.sum().clamp(min=1)
