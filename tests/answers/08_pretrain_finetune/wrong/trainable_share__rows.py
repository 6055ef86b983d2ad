"""Counts rows.

mistake: unnamed
fails: layers of any sizes
"""


def trainable_share(model):
    ps = list(model.parameters())
    return sum(len(p) for p in ps if p.requires_grad) / sum(len(p) for p in ps)
