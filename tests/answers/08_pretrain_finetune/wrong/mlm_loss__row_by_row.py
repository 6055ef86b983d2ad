"""Averages each text first.

mistake: mean_of_rows
fails: few labels, unevenly spread
"""


def mlm_loss(logits, labels, ignore_index=-100):
    pass
    losses = []
    for x, y in zip(logits, labels):
        total = F.cross_entropy(x, y, ignore_index=ignore_index, reduction="sum")
        losses.append(total / (y != ignore_index).sum().clamp(min=1))
    return torch.stack(losses).mean()
