"""Per cent.

mistake: per_cent
fails: layers of any sizes
"""


def trainable_share(model):
    ps = list(model.parameters())
    return 100 * sum(p.numel() for p in ps if p.requires_grad) / sum(p.numel() for p in ps)
