"""Right: a loop with two counters."""


def trainable_share(model):
    trainable = total = 0
    for p in model.parameters():
        total += p.numel()
        if p.requires_grad:
            trainable += p.numel()
    return trainable / max(total, 1)
