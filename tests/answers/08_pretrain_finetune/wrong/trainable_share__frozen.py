"""The frozen share.

mistake: frozen_share
fails: layers of any sizes
"""


def trainable_share(model):
    ps = list(model.parameters())
    return sum(p.numel() for p in ps if not p.requires_grad) / sum(p.numel() for p in ps)
