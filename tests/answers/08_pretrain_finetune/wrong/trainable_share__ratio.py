"""Against the frozen.

mistake: against_the_frozen
fails: layers of any sizes
"""


def trainable_share(model):
    ps = list(model.parameters())
    return sum(p.numel() for p in ps if p.requires_grad) / max(1, sum(p.numel() for p in ps if not p.requires_grad))
