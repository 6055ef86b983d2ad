"""Averages each text first, and leaves empty ones out.

mistake: mean_of_used_rows
fails: texts of different lengths
"""


def next_token_loss(logits, tokens, ignore_index=-100):
    labels = tokens[:, 1:]
    logits = logits[:, :-1]
    losses = [
        F.cross_entropy(x, y, ignore_index=ignore_index)
        for x, y in zip(logits, labels)
        if (y != ignore_index).any()
    ]
    return torch.stack(losses).mean() if losses else logits.sum() * 0
