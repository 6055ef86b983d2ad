"""Averages each text first, and leaves empty ones out.

mistake: mean_of_used_rows
fails: few labels, unevenly spread
"""


def mlm_loss(logits, labels, ignore_index=-100):
    pass
    losses = [
        F.cross_entropy(x, y, ignore_index=ignore_index)
        for x, y in zip(logits, labels)
        if (y != ignore_index).any()
    ]
    return torch.stack(losses).mean() if losses else logits.sum() * 0
