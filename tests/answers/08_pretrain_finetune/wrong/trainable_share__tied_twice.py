"""Shared weights count twice.

mistake: shared_counted_twice
fails: shared weights
"""


def trainable_share(model):
    ps = [p for _, p in model.named_parameters(remove_duplicate=False)]
    return sum(p.numel() for p in ps if p.requires_grad) / sum(p.numel() for p in ps)
